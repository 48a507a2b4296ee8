/** Hosts, as a URL or a program may spell them, that nobody reaches without a grant for private ones. */
export const REFUSED_HOSTS: readonly string[] = [
  "127.0.0.1 127.1 127.0.1 127.127.127.127 127.0.0.1. 2130706433 017700000001 0x7f000001 0x7F.1 0177.0.0.1 0177.0x0.1",
  "127.000.000.001 0 0.0.0.0 0x0 00.0 0.1.2.3 10.0.0.1 012.0.0.1 0xa.1 167772161 172.16.0.1 172.31.255.254 0xac.0x10.1",
  "192.168.1 3232235521 0300.0250.0.1 100.64.0.1 100.100.100.200 169.254.169.254 2852039166 0xa9fea9fe",
  "0251.0376.0251.0376 169.254.43518 0xA9.254.0251.254 169.254.170.2 168.63.129.16 0xa83f8110 [::ffff:168.63.129.16] 192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.255",
  "198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295",
  "[::] [::1] [0000::0001] [::2] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [2001:db8::1]",
  "[3fff::1] [100::1] [5f00::1] [2001:2::1] [4000::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:169.254.169.254]",
  "[::ffff:a9fe:a9fe] [::ffff:0:0] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [::ffff:10.0.0.1] [0:0:0:0:0:ffff:7f00:1]",
  "[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::8.8.8.8] [2002:7f00:1::] [2002:a9fe:a9fe::1]",
  "[2002:808:808::1] [2001:0:7f00:1::1] [2001:0:53aa:64c:0:0:5601:5601] [fe80::1%25eth0] [::1%25lo] [v1.a]",
  "１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc\u00adalhost localhoſt [::ﬀﬀ:7f00:1] １６９.２５４.１６９.２５４",
  "localhost localhost. LOCALHOST a.localhost foo.LocalHost. ip6-localhost localhost.localdomain metadata",
  "metadata.google.internal printer.local host.docker.internal kubernetes.default.svc intranet router.lan nas.home",
  "10.255.255.255 192.168.0.0 169.254.0.0 100.127.255.255 172.16.0.0 [fdff::1] [ff05::2] [2001:db8:1::] [::ffff:100.64.0.1]",
  "box.home.arpa db.corp a.test x.invalid hidden.onion wpad.private a..b %31%32%37.0.0.1 127%2e0%2e0%2e1 256.1.1.1 1.2.3.4.5",
].flatMap((line) => line.split(" "));

/** URLs that are not asked, or lead to such a host. */
export const REFUSED_URLS: readonly string[] = [
  ...["http:127.0.0.1/", "http:\\\\127.0.0.1\\", "http://127.0.\t0.1/", "http://127.0.0.1\\@example.com/"],
  ...[
    "http://127.0.0.1#@example.com/",
    "http://example.com@127.0.0.1/",
    "http://u:p@example.com/",
    "//127.0.0.1/",
  ],
  ...[
    "http://1.1.1.1 &@127.0.0.1# @3.3.3.3/",
    "http://@127.0.0.1/",
    "http:///127.0.0.1/",
    "HTTP://127.0.0.1/",
    "http://:80/",
  ],
  ...[
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "data:text/plain,a",
    "javascript:1",
    "example.com",
  ],
  ...[
    "blob:https://example.com/1",
    "ws://example.com/",
    "wss://example.com/",
    "http://user@example.com/",
    "",
    "https://",
  ],
];
