# What Python itself runs: reads the code from stdin and runs it as the main module, with its lines in tracebacks.

def _run():
    import linecache, os, sys, types
    os.dup2(1, 2)
    name = "<code>"
    source = sys.stdin.buffer.read().decode("utf-8-sig")
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    linecache.cache[name] = (len(source), None, [line + "\n" for line in lines], name)
    sys.argv[:] = [name]
    main = types.ModuleType("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    try:
        exec(compile(source, name, "exec"), main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        import traceback
        sys.stdout.flush()
        frames = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(type(error), error, frames)
        sys.exit(1)
_run()
