/** Programs and builtins that only read, with any arguments. */
export const READERS: ReadonlySet<string> = words(`
  ls cat head tail wc cut tr nl tac rev fold fmt paste join comm cmp diff colordiff stat du df pwd echo test [ true false
  : cd pushd popd dirs basename dirname realpath readlink od hexdump strings column expand unexpand jq which whereis type
  uname id whoami groups arch nproc uptime free ps pgrep pidof lscpu lsblk tty locale getconf seq sleep expr factor
  md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 base32 zcat bzcat xzcat zstdcat
  grep egrep fgrep zgrep ugrep cloc tokei scc nm objdump readelf size printenv printf export declare typeset local
  readonly read mapfile readarray getopts let set shopt shift return exit break continue wait umask ulimit times jobs
  unset alias unalias trap compgen ts numfmt iconv zipinfo exa eza bat tput look cal sync
`);

/** Programs that talk to the network. */
export const NETWORK: ReadonlySet<string> = words(`
  curl wget wget2 nc ncat netcat nc.openbsd nc.traditional socat ssh scp sftp rsync ping ping6 traceroute tracepath mtr
  nslookup dig host whois ftp lftp tftp telnet fetch http https xh httpie aria2c axel lynx links w3m elinks nmap masscan
  gh hub glab aws gcloud az rclone iperf iperf3 wscat websocat grpcurl s3cmd mosh smbclient yt-dlp ngrok
`);

/** Programs that write files, change the machine, install packages, or build. */
export const WRITERS: ReadonlySet<string> = words(`
  rm mv cp chmod chown chgrp chattr setfacl setfattr write tee dd mount umount touch mkdir rmdir ln link unlink truncate
  shred patch split csplit mkfifo mknod mktemp rename install sponge fallocate rsync unzip zip 7z 7za ar cpio pax
  apt apt-get aptitude dpkg rpm yum dnf pacman zypper apk brew port snap flatpak nix-env emerge
  pip pip3 pipx uv uvx poetry pdm conda mamba npm npx yarn pnpm bunx corepack cargo rustup gem bundle go composer mvn
  gradle gradlew ant make gmake cmake ninja meson bazel buck just rake sbt dotnet nuget cabal stack mix pod swift
  docker podman buildah nerdctl kubectl helm terraform ansible ansible-playbook vagrant virsh lxc
  systemctl service crontab at batch useradd userdel usermod groupadd groupdel passwd chsh visudo swapon swapoff
  insmod rmmod modprobe sysctl iptables nft ip ifconfig route losetup fstrim
  mkfs mke2fs mkswap fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard
  shutdown reboot halt poweroff init telinit kexec chroot unshare nsenter script scriptreplay tmux screen
  gcc g++ cc c++ clang clang++ rustc javac ld as strip objcopy ldconfig svn hg cvs bzr jj fossil
  nano pico micro joe emacs ed ex vi vim nvim view parallel
`);

/** Shell builtins, which start no program. */
export const BUILTINS: ReadonlySet<string> = words(`
  : . [ [[ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
  eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd
  read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
  unset wait
`);

const SYSTEM_FOLDERS = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/;

/** Says whether a path is outside the system's folders: a file there with a program's name is another program. */
export function isElsewhere(path: string): boolean {
  return path.includes("/") && !SYSTEM_FOLDERS.test(path);
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
