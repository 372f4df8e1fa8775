package io.probelet.monitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ACT-106: secrets are redacted. */
class RedactionTest {
  private static String of(String line) {
    return new Redaction().line(line);
  }

  /** Each holds HUNTER2 in one way or another, and KEPT, which is no secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "KEPT password=HUNTER2 KEPT",
        "KEPT PASSWORD: HUNTER2",
        "KEPT {\"password\":\"HUNTER2\",\"name\":\"KEPT\"}",
        "KEPT {\\\"db_password\\\":\\\"HUNTER2\\\"} KEPT",
        "KEPT password=\"HUNTER2 with blanks\" KEPT",
        "KEPT passwd='HUNTER2' KEPT",
        "KEPT DB_PASSWORD=HUNTER2",
        "KEPT --token HUNTER2 --v=2 KEPT",
        "KEPT --bootstrap-token=HUNTER2 KEPT",
        "KEPT FLAG: --client-secret=\"HUNTER2\"",
        "KEPT Authorization: Bearer HUNTER2abcdef",
        "KEPT Authorization: Basic HUNTER2abcdef==",
        "KEPT authorization=HUNTER2 more HUNTER2",
        "KEPT header=\"Proxy-Authorization: HUNTER2\"",
        "KEPT Set-Cookie: session=HUNTER2; Path=/",
        "KEPT cookie: a=HUNTER2",
        "KEPT X-Api-Key: HUNTER2",
        "KEPT x-vault-token: HUNTER2",
        "KEPT got bearer HUNTER2abcdef KEPT",
        "KEPT Get \"https://user:HUNTER2@registry.example/v2/\": KEPT",
        "KEPT pulling https://HUNTER2@git.example/repo KEPT",
        "KEPT GET https://bucket.example/KEPT?X-Amz-Signature=HUNTER2&KEPT",
        "KEPT GET https://blob.example/KEPT?sv=1&sig=HUNTER2",
        "KEPT aws_secret_access_key = HUNTER2",
        "KEPT apiKey:HUNTER2",
        "KEPT private-key=HUNTER2",
        "KEPT sudo:  bob : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/mysql -pHUNTER2",
        "KEPT type=EXECVE msg=audit(1:2): argc=3 a0=\"curl\" a1=\"-H\" a2=\"HUNTER2\"",
        "KEPT type=PROCTITLE msg=audit(1:2): proctitle=HUNTER2",
        "KEPT Environment=KEY=HUNTER2",
        "KEPT env=[\"KEY=HUNTER2\",\"OTHER=HUNTER2\"] KEPT",
        "KEPT \"env\":[\"KEY=HUNTER2\"] KEPT",
        "KEPT execCommand=[\"sh\",\"-c\",\"echo HUNTER2\"] KEPT",
        "KEPT args=[HUNTER2] KEPT",
        "KEPT Exec lifecycle hook ([sh -c HUNTER2]) for Container \"KEPT\" failed",
        "KEPT ExecSync for \"KEPT\" cmd:\"sh\" cmd:\"-c\" cmd:\"HUNTER2\"",
        "KEPT err=\"container &Container{Name:KEPT,Image:KEPT,Command:[sh -c HUNTER2],Args:[HUNTER2],"
            + "Env:[]EnvVar{EnvVar{Name:PW,Value:HUNTER2 } x,ValueFrom:nil,},},} start failed KEPT\"",
        "KEPT EnvVar{Name:PW,Value:HUNTER2,ValueFrom:nil,} KEPT",
        "KEPT HTTPHeader{Name:X,Value:HUNTER2} KEPT",
        "KEPT ghp_HUNTER2abcdefghijkl KEPT",
        "KEPT AKIAHUNTER2ABCDEFGHI KEPT",
        "KEPT eyJhbGciOiJSUzI1NiJ9.HUNTER2abcdef.sig KEPT",
        "KEPT aB3HUNTER2aB3HUNTER2aB3HUNTER2aB3HUNTER2aB3HUNTER2== KEPT",
        "KEPT <db password=\"HUNTER2\"/> KEPT",
        "KEPT <property name=\"password\" value=\"HUNTER2\"/> KEPT",
        "KEPT <property value=\"HUNTER2\" name=\"password\"/> KEPT",
        "KEPT <password value=\"HUNTER2\"/> KEPT",
        "KEPT <a:token id='1' value='HUNTER2'/> KEPT",
        "KEPT <db:password>HUNTER2</db:password> KEPT",
        "KEPT <password><![CDATA[HUNTER2<x>HUNTER2]]></password> KEPT",
        "KEPT <password> <![CDATA[HUNTER2",
        "KEPT {\"value\":\"HUNTER2\",\"name\":\"DB_PASSWORD\"} KEPT",
        "KEPT {\"value\": \"a\\\"HUNTER2\", \"key\": \"apiToken\"} KEPT",
        "KEPT {\\\"value\\\":\\\"HUNTER2\\\",\\\"name\\\":\\\"DB_PASSWORD\\\"} KEPT",
        "KEPT - {value: HUNTER2, name: DB_PASSWORD} KEPT",
        "KEPT {\\u0022password\\u0022:\\u0022HUNTER2 HUNTER2\\u0022} KEPT",
        "KEPT {\\\\u0022password\\\\u0022:\\\\u0022HUNTER2\\\\u0022} KEPT",
        "KEPT {&quot;password&quot;:&quot;HUNTER2 HUNTER2&quot;} KEPT",
        "KEPT password&#61;HUNTER2 KEPT",
        "KEPT password&equals;HUNTER2 KEPT",
        "KEPT password&#x3D;HUNTER2",
        "KEPT {\"apiVersion\":\"v1\",\"data\":{\"a\":\"HUNTER2\"},\"kind\":\"Secret\"} KEPT",
        "KEPT {\\\"kind\\\":\\\"Secret\\\",\\\"data\\\":{\\\"a\\\":\\\"HUNTER2\\\"}} KEPT",
        "KEPT {\"stringData\":{\"a\":\"HUNTER2\"},\"b\":\"KEPT\"}",
        "KEPT otp=HUNTER2 KEPT",
        "KEPT user_otp: HUNTER2",
        "KEPT otp_code=HUNTER2 KEPT",
        "KEPT {\"jwt\":\"HUNTER2\"} KEPT",
        "KEPT passcode=HUNTER2 KEPT",
        "KEPT -----BEGIN RSA PRIVATE KEY----- HUNTER2 -----END RSA PRIVATE KEY----- KEPT",
        "KEPT key: DB_PASSWORD, value: HUNTER2",
        "KEPT password=\\HUNTER2",
        "KEPT password=HUNTER2\\",
      })
  void secretsAreTakenOut(String line) {
    assertThat(of(line)).contains("KEPT").contains(Redaction.MARK).doesNotContain("HUNTER2");
  }

  /** Each holds HUNTER2, and once after it KEPT, which is no secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"key\":\"DB_PASSWORD\",\"value\":\"HUNTER2\"} KEPT",
        "{\\\"key\\\":\\\"DB_PASSWORD\\\",\\\"value\\\":\\\"HUNTER2\\\"} KEPT",
        "key=DB_PASSWORD value=HUNTER2 KEPT",
        "password=\\HUNTER2 KEPT",
        "password=\\!HUNTER2 KEPT",
        "password=ab\\HUNTER2 KEPT",
        "password=ab\\nHUNTER2 KEPT",
        "password=ab\\ HUNTER2 KEPT",
        "password=ab\\&\\,HUNTER2 KEPT",
        "{\"msg\":\"password=\\\\HUNTER2\",\"a\":\"KEPT\"}",
        "{\"msg\":\"password=\\u003cHUNTER2\",\"a\":\"KEPT\"}",
        "{\"msg\":\"password=\\u0026HUNTER2\",\"a\":\"KEPT\"}",
        "{\"msg\":\"password=a\\u0026HUNTER2\\u0026user=KEPT\"}",
        "{\"msg\":\"password=a\\u00e9\\u0021HUNTER2 KEPT\"}",
        "{\"msg\":\"{\\\"m\\\":\\\"password=\\\\u003cHUNTER2\\\"}\",\"a\":\"KEPT\"}",
        "{\"msg\":\"password=HUNTER2\\nuser=KEPT\"}",
        "{\"msg\":\"password=ab\\\"HUNTER2\",\"a\":\"KEPT\"}",
        "password='it''s HUNTER2' KEPT",
        "password=\"a\"\"HUNTER2\" KEPT",
        "password='it'\\''s HUNTER2' KEPT",
        "{\"msg\":\"password=\\\"a\\\"\\\"HUNTER2 HUNTER2\\\" KEPT\"}",
        "TOKEN='a'HUNTER2 KEPT",
        "TOKEN='a'$HUNTER2 KEPT",
        "TOKEN='a'\"HUNTER2 HUNTER2\" KEPT",
        "{\"msg\":\"password='HUNTER2'\",\"a\":\"KEPT\"}",
        "{\"msg\":\"password=\\\"HUNTER2\\\"\",\"a\":\"KEPT\"}",
        "sh -c \"password='HUNTER2'\" \"KEPT\"",
        "{\"cmd\":\"sh -c \\\"password='HUNTER2'\\\"\",\"a\":\"KEPT\"}",
        "password=\"HUNTER2\": KEPT",
        "password: !!str HUNTER2 KEPT",
        "password: !!str \"HUNTER2 HUNTER2\" KEPT",
        "amqp://u:a@HUNTER2@KEPT",
        "user:a@HUNTER2:HUNTER2@tcp(KEPT:3306)/shop",
        "jdbc:oracle:thin:user/a@HUNTER2@KEPT:1521:x",
        "<property name=\"password\">HUNTER2</property> KEPT",
        "<a:property id=\"1\" key='password' b=\"2\"> <![CDATA[HUNTER2]]></a:property> KEPT",
        "<property><name>db.password</name> <value>HUNTER2</value></property> KEPT",
        "<key>password</key><string>HUNTER2</string> KEPT",
        "ldapsearch -xw HUNTER2 KEPT",
        "ldapsearch -LLLxwHUNTER2 KEPT",
        "ldappasswd -s HUNTER2 -x KEPT",
        "sshpass -vp HUNTER2 ssh KEPT",
        "password=\\u0022it\\u0022\\u0022HUNTER2\\u0022 KEPT",
        "password=&apos;it&apos;&apos;s HUNTER2&apos; KEPT",
        "password=%27it%27%27HUNTER2%27 KEPT",
        "passphrase is HUNTER2 KEPT",
        "The new db_password was now: 'it is HUNTER2' KEPT",
        "token is HUNTER2, password is HUNTER2. KEPT"
      })
  void secretsEndWhereTheyEnd(String line) {
    assertThat(of(line)).contains("KEPT").contains(Redaction.MARK).doesNotContain("HUNTER2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXT4-fs error (device sda1): ext4_lookup:1855: inode #2: comm kubelet: iget: checksum invalid",
        "Out of memory: Killed process 4711 (java) total-vm:10240kB, anon-rss:9000kB, oom_score_adj:1000",
        "task kworker/u8:2:17 blocked for more than 120 seconds.",
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-"
            + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope,task=java,pid=1",
        "IN=eth0 OUT= MAC=00:11:22 SRC=10.0.0.1 DST=10.0.0.2 LEN=60 TTL=64",
        "Pulled image registry.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef",
        "\"Failed to update lease\" err=\"Put \\\"https://10.0.0.1:6443/apis/coordination.k8s.io/v1\\\"\"",
        "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1234/fs/usr/Lib2",
        "CPU: 3 PID: 1 Comm: systemd Not tainted 6.1.0-18-amd64 #1 Debian 6.1.76-1",
        "syncPod for default/basic-auth-proxy-7d9c5 took 12s",
        "token bucket is full",
        "the password is incorrect. The token is not set, the api-key was rejected: 3",
        "hotplug=1 footprint=12 option: a",
        "{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}",
        "{\"value\":\"shown\",\"name\":\"PATH\"}",
        "<item value=\"shown\" name=\"colour\"/>",
        "Pod \\u0022web\\u0022 is ready &amp; fine",
        "{\"key\":\"PATH\",\"value\":\"shown\"}",
        "<property name=\"colour\">shown</property>",
        "<name>colour</name><value>shown</value>",
        "{\"msg\":\"no token\\nline\"}",
        "http://host/a@b@c",
        "ldapsearch -x -b dc=www"
      })
  @DisplayName("Useful text stays")
  void theRestStays(String line) {
    assertThat(of(line)).isEqualTo(line);
  }

  @Test
  @DisplayName("A key spans several lines; an unterminated one does not hide the whole log")
  void keys() {
    Redaction log = new Redaction();

    assertThat(
            List.of(
                    "a -----BEGIN PRIVATE KEY-----",
                    "MIIEvQIBADANBgkqhkiG",
                    "9w0BAQE=",
                    "-----END PRIVATE KEY----- b",
                    "c")
                .stream()
                .map(log::line))
        .containsExactly("a [redacted]", "[redacted]", "[redacted]", "[redacted] b", "c");
    log.line("-----BEGIN PRIVATE KEY-----");
    for (int line = 0; line < 1000; line++) {
      log.line("MIIEvQIBADANBgkqhkiG");
    }
    assertThat(log.line("out of memory")).isEqualTo("out of memory");
  }

  @Test
  @DisplayName("A redacted document remains valid")
  void documents() throws Exception {
    ObjectMapper json = new ObjectMapper();

    assertThat(
            Redaction.json(
                json.readTree(
                    """
                    {"env": [{"value": "x", "name": "DB_PASSWORD"}, {"name": "A", "value": "b"}],
                     "o": {"kind": "Secret", "data": {"a": "x"}, "stringData": {"a": "x"}},
                     "token": {"a": 1}, "n": 5, "list": ["Authorization: Bearer x", "ok"],
                     "message": "password=\\"x\\", and more"}
                    """)))
        .isEqualTo(
            json.readTree(
                """
                {"env": [{"value": "[redacted]", "name": "DB_PASSWORD"}, {"name": "A", "value": "b"}],
                 "o": {"kind": "Secret", "data": "[redacted]", "stringData": "[redacted]"},
                 "token": "[redacted]", "n": 5, "list": ["Authorization: [redacted]", "ok"],
                 "message": "password=[redacted], and more"}
                """));
  }

  @Test
  @Timeout(60)
  @DisplayName("Redaction takes linear time for hostile lines")
  void hostileLines() {
    for (String seed :
        List.of(
            "password=",
            "&Container{Name:",
            "cmd:\"",
            "a.",
            "eyJ",
            "-----BEGIN ",
            "value=",
            "value=\"",
            "value:{\"value\":",
            "<a:password ",
            "<password><![CDATA[",
            "password\\u0022:\\u0022",
            "kind=Secret data={",
            "otp.",
            "\\\"",
            "\\",
            "password=\\",
            "password=\\u003c",
            "password='a'",
            "password=''",
            "password=%27",
            "password=&apos;",
            "''",
            "'\\'",
            "password: !!str ",
            "!!str ",
            "key=password value=",
            "<a name=\"password\">",
            "<name>password</name>",
            "://a@",
            "a:b@tcp",
            "ldapsearch -xw ",
            "=",
            "token")) {
      String line = seed.repeat(EvidenceOutput.MAX_LINE_CHARS / seed.length());
      for (int time = 0; time < 10; time++) {
        assertThat(of(line)).isNotNull();
      }
    }
  }
}
