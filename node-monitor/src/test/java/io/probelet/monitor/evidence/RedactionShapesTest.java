package io.probelet.monitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.RandomCase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ACT-106: the shapes in which secrets are logged, and lines that look like them. */
@Timeout(120)
class RedactionShapesTest {
  private static String of(String line) {
    return new Redaction().line(line);
  }

  /** Each holds HUNTER2 in one way or another, and KEPT, which is no secret. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "KEPT {\"password\":[\"HUNTER2\"],\"a\":\"KEPT\"}",
        "KEPT {\"passwords\": [\"a\", \"HUNTER2\", [\"HUNTER2\"]], \"a\": 1} KEPT",
        "KEPT {\"secret\":{\"value\":\"HUNTER2\",\"b\":\"}\"},\"a\":\"KEPT\"}",
        "KEPT {\\\"token\\\":[\\\"HUNTER2\\\"]} KEPT",
        "KEPT {\"password\":\"a\\\"HUNTER2\"} KEPT",
        "KEPT {\\\"password\\\":\\\"a\\\\\\\"HUNTER2\\\"} KEPT",
        "KEPT password=(HUNTER2)HUNTER2 KEPT",
        "KEPT password := \"HUNTER2\" KEPT",
        "KEPT :password => \"HUNTER2\" KEPT",
        "KEPT map[password:HUNTER2 user:KEPT]",
        "KEPT client_secret%3DHUNTER2%26KEPT",
        "KEPT client_secret%253DHUNTER2 KEPT",
        "KEPT %22password%22%3A%22HUNTER2%22 KEPT",
        "KEPT %7B%22password%22%3A%5B%22HUNTER2%22%5D%7D KEPT",
        "KEPT password\\u003dHUNTER2 KEPT",
        "KEPT {\"name\":\"DB_PASSWORD\",\"value\":\"HUNTER2\"} KEPT",
        "KEPT {\\\"name\\\": \\\"API_TOKEN\\\", \\\"value\\\": \\\"HUNTER2\\\"} KEPT",
        "KEPT <password>HUNTER2</password> KEPT",
        "KEPT mysql -pHUNTER2 -h KEPT",
        "KEPT mysqldump -u root -p'HUNTER2' KEPT",
        "KEPT /usr/bin/mariadb-dump --user KEPT -pHUNTER2",
        "KEPT sshpass -p HUNTER2 ssh KEPT",
        "KEPT sshpass -pHUNTER2 ssh KEPT",
        "KEPT SSHPASS=HUNTER2 KEPT",
        "KEPT PGPASSWORD=HUNTER2 psql KEPT",
        "KEPT MYSQL_PWD=HUNTER2 KEPT",
        "KEPT curl -u user:HUNTER2 https://KEPT",
        "KEPT curl -sSuuser:HUNTER2 https://KEPT",
        "KEPT curl --user user:HUNTER2 https://KEPT",
        "KEPT curl --proxy-user=user:HUNTER2 https://KEPT",
        "KEPT wget --http-password HUNTER2 KEPT",
        "KEPT docker login -u user -p HUNTER2 KEPT",
        "KEPT redis-cli -a HUNTER2 KEPT",
        "KEPT ldapsearch -D cn=KEPT -w HUNTER2",
        "KEPT smbclient -U user%HUNTER2 KEPT",
        "KEPT kubectl create secret generic KEPT --from-literal=key=HUNTER2 KEPT",
        "KEPT kubectl create secret generic KEPT --from-literal 'key=HUNTER2 HUNTER2' KEPT",
        "KEPT Authorization%3A%20Bearer%20HUNTER2",
        "KEPT authorization%3DHUNTER2",
        "KEPT bearer%20HUNTER2abcdef KEPT",
        "KEPT machine KEPT login user password HUNTER2",
        "KEPT login user password HUNTER2 KEPT",
        "KEPT {\"auths\":{\"KEPT\":{\"auth\":\"HUNTER2\"}}}",
        "KEPT _auth=HUNTER2 KEPT",
        "KEPT Server=KEPT;User Id=sa;Password=HUNTER2;Encrypt=KEPT",
        "KEPT AccountName=KEPT;AccountKey=HUNTER2==;EndpointSuffix=KEPT",
        "KEPT Endpoint=sb://KEPT/;SharedAccessKeyName=x;SharedAccessKey=HUNTER2=",
        "KEPT dsn=user:HUNTER2@tcp(KEPT:3306)/shop",
        "KEPT postgres://user:HUNTER2@KEPT/shop",
        "KEPT amqp://user:HUNTER2%40x@KEPT",
        "KEPT jdbc:oracle:thin:user/HUNTER2@KEPT:1521:x",
        "KEPT AIzaSyHUNTER2HUNTER2HUNTER2HUNTER2HUNTE KEPT",
        "KEPT ya29.HUNTER2HUNTER2HUNTER2 KEPT",
        "KEPT GOCSPX-HUNTER2HUNTER2HUNTER2 KEPT",
        "KEPT npm_HUNTER2HUNTER2HUNTER2HUNTER2HUNTER2x KEPT",
        "KEPT //registry.npmjs.org/:_authToken=HUNTER2 KEPT",
        "KEPT xapp-1-HUNTER2-HUNTER2 KEPT",
        "KEPT https://hooks.slack.com/services/T00000000/B00000000/HUNTER2 KEPT",
        "KEPT dckr_pat_HUNTER2HUNTER2 KEPT",
        "KEPT SG.HUNTER2HUNTER2HUNTER2.HUNTER2HUNTER2HUNTER2 KEPT",
        "KEPT abc8Q~HUNTER2HUNTER2HUNTER2HUNTER2HUNT KEPT",
        "KEPT sk_live_HUNTER2HUNTER2 KEPT",
        "KEPT \"Authorization\":[\"HUNTER2\"]",
        "KEPT {\"x-api-key\":[\"HUNTER2\"]}",
        "KEPT pass=HUNTER2 KEPT",
        "KEPT wifi psk: HUNTER2",
        "KEPT DB_PW=HUNTER2 KEPT",
        "KEPT {\"pw\":\"HUNTER2\",\"name\":\"KEPT\"}",
        "KEPT creds=user:HUNTER2 KEPT",
        "KEPT ENCRYPTION_KEY=HUNTER2 KEPT",
        "KEPT masterKey: HUNTER2",
        "KEPT signing-key=\"HUNTER2\" KEPT",
        "KEPT CREATE USER a IDENTIFIED BY 'HUNTER2' KEPT",
        "KEPT ALTER USER a IDENTIFIED WITH mysql_native_password BY \\\"HUNTER2\\\" KEPT",
        "KEPT CREATE ROLE a WITH LOGIN PASSWORD 'HUNTER2' KEPT",
        "KEPT ALTER ROLE a ENCRYPTED PASSWORD 'HUNTER2'; KEPT",
        "KEPT argv [\"mysql\",\"-u\",\"root\",\"-pHUNTER2\"] KEPT",
        "KEPT argv ['sshpass', '-p', 'HUNTER2', 'ssh'] KEPT",
        "KEPT argv [\"x\",\"--password\",\"HUNTER2\",\"KEPT\"]",
        "KEPT argv [\\\"x\\\",\\\"--token\\\",\\\"HUNTER2\\\"] KEPT",
        "KEPT openssl rsa -passin pass:HUNTER2 -in KEPT",
        "KEPT password=ab,HUNTER2 KEPT",
        "KEPT password=ab&HUNTER2, KEPT",
        "KEPT password=ab\"HUNTER2 KEPT",
        "KEPT password=ab;HUNTER2;user=KEPT",
        "KEPT password=ab<HUNTER2> KEPT"
      })
  void secretsAreTakenOut(String line) {
    assertThat(of(line)).contains("KEPT").contains(Redaction.MARK).doesNotContain("HUNTER2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN x",
        "-----BEGIN x-----",
        "-----BEGIN ",
        "-----BEGIN private key-----",
        "-----BEGIN PRIVATE KEY----",
        "docker run -p 8080:80 nginx",
        "ssh -p 22 host",
        "mkdir -p /var/lib/x",
        "curl -s https://host/healthz failed",
        "mysql -h db.example -u root",
        "nginx:1.25@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "registry.example:5000/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef",
        "user@1000.service: Deactivated successfully.",
        "kubelet.go:2412] \"Skipping pod synchronization\" err=\"PLEG is not healthy\"",
        "Started Session 5 of User root.",
        "pam_unix(sshd:session): session opened for user root(uid=0) by (uid=0)",
        "tests: pass 12, fail 0",
        "bypass=on compass=off",
        "the key is down: key=3",
        "user was identified by the server",
        "a rule with password authentication",
        "[\"docker\",\"run\",\"-p\",\"8080:80\"]",
        "%3A%20 is an encoded colon",
        "author=somebody auth method none",
        "password policy is enforced",
        "[Hardware Error]: event severity: recoverable",
        "nvme nvme0: I/O 12 QID 3 timeout, aborting",
        "docker0: port 1(veth1234567) entered blocking state"
      })
  @DisplayName("Text that only looks like a secret stays")
  void theRestStays(String line) {
    assertThat(of(line)).isEqualTo(line);
  }

  private static final String FULL =
      "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

  private static final String PART = "MIIEvQIBADANBgkqhkiG";

  @Test
  @DisplayName("C4 a forged key hides only lines in the format of a key")
  void forgedKeys() {
    for (String label : List.of("x", "x-----", "PRIVATE KEY-----", "A-----")) {
      Redaction log = new Redaction();
      log.line("12:00:00 web: -----BEGIN " + label);
      for (String honest :
          List.of(
              "12:00:01 kernel: Out of memory: Killed process 4711 (java)",
              "12:00:02 kubelet: node is full",
              "Stopped",
              "12:00:03 containerd: x",
              "")) {
        assertThat(log.line(honest)).as(label).isEqualTo(honest);
      }
    }
  }

  @Test
  @DisplayName("C4 of a key interleaved with other lines, only its own lines are removed")
  void keyAmongOthers() {
    Redaction log = new Redaction();
    assertThat(
            List.of(
                    "12:00:00 web: -----BEGIN RSA PRIVATE KEY-----",
                    "12:00:00 web: Proc-Type: 4,ENCRYPTED",
                    "12:00:00 web: DEK-Info: AES-128-CBC,0123",
                    "12:00:00 web: ",
                    "12:00:00 web: " + FULL,
                    "12:00:01 web: abcdEFG=",
                    "12:00:01 web: -----END RSA PRIVATE KEY-----",
                    "12:00:02 web: ready",
                    "12:00:03 kernel: Out of memory")
                .stream()
                .map(log::line))
        .containsExactly(
            "12:00:00 web: [redacted]",
            "[redacted]",
            "[redacted]",
            "12:00:00 web: ",
            "[redacted]",
            "[redacted]",
            "[redacted]",
            "12:00:02 web: ready",
            "12:00:03 kernel: Out of memory");
  }

  @Test
  @DisplayName("Interleaved lines do not reveal the rest of a key")
  void interruptedKey() {
    Redaction log = new Redaction();
    assertThat(
            List.of(
                    "-----BEGIN PRIVATE KEY-----",
                    PART,
                    "kernel: Out of memory",
                    PART,
                    "Stopped",
                    "done",
                    "x9A=",
                    "-----END PRIVATE KEY-----",
                    PART)
                .stream()
                .map(log::line))
        .containsExactly(
            "[redacted]",
            "[redacted]",
            "kernel: Out of memory",
            "[redacted]",
            "Stopped",
            "done",
            "[redacted]",
            "[redacted]",
            PART);
  }

  @Test
  @DisplayName("C4 a secret is redacted in every format, quoting, escaping and prefix")
  void everySecret() {
    RandomCase.tries(
        20_000,
        random -> {
          String secret = secret(random);
          String shaped = shaped(random, secret);
          String line =
              random.of("", "I1126 12:00:00.1 1 x.go:1] ", "err=", "12:00 web: ", "(") + shaped;
          assertThat(of(line)).as(line).doesNotContain(secret);
        });
  }

  private static String secret(RandomCase random) {
    StringBuilder secret = new StringBuilder(random.of("q", "Z7", "x9"));
    String letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
    for (int left = random.between(8, 20); left > 0; left--) {
      secret.append(letters.charAt(random.between(0, letters.length() - 1)));
    }
    return secret.toString();
  }

  private static String shaped(RandomCase random, String secret) {
    String name =
        random.of(
            "password", "DB_PASSWORD", "client_secret", "api-key", "accessToken", "private_key");
    UnaryOperator<String> quoted =
        random.of(text -> "\"" + text + "\"", text -> "'" + text + "'", text -> text);
    String bare = random.of("", "a,", "b&", "c\"", "d;e<") + secret;
    String inside = random.of("", "a b,", "x\\\"", "]}") + secret + random.of("", " c", "=", "}");
    String json =
        random.of(
            "{\"%s\":\"%s\"}",
            "{\"%s\": [\"%s\"]}",
            "{\"%s\":[1,\"%s\",{}]}",
            "{\"%s\":{\"a\":\"%s\"}}",
            "{\"a\":1,\"%s\" : \"%s\"}");
    return switch (random.between(0, 9)) {
      case 0 ->
          name
              + random.of("=", ": ", " = ", ":=", "=>")
              + random.of(quoted.apply(secret), bare)
              + random.of("", " a", ", a", ";user=b", "&user=b", ",user:b");
      case 1 ->
          "--"
              + name.toLowerCase(java.util.Locale.ROOT)
              + random.of("=", " ")
              + quoted.apply(secret);
      case 2 -> json.formatted(name, inside);
      case 3 -> escaped(json.formatted(name, inside), random.between(1, 3));
      case 4 -> encoded(name + random.of("=", ":") + secret, random.between(1, 2));
      case 5 -> encoded(json.formatted(name, secret), 1);
      case 6 ->
          random.of("mysql", "/usr/bin/mysqladmin", "mariadb")
              + " -u root -p"
              + quoted.apply(secret);
      case 7 ->
          "curl " + random.of("-u ", "-u", "--user ", "--user=") + quoted.apply("me:" + secret);
      case 8 -> random.of("https", "amqp", "postgres") + "://me:" + secret + "@host/x";
      default ->
          random.of("Authorization: Bearer ", "Cookie: a=", "X-Api-Key: ", "Bearer ") + secret;
    };
  }

  private static String escaped(String text, int times) {
    String escaped = text;
    for (int i = 0; i < times; i++) {
      escaped = escaped.replace("\\", "\\\\").replace("\"", "\\\"");
    }
    return escaped;
  }

  private static String encoded(String text, int times) {
    String encoded = text;
    for (int i = 0; i < times; i++) {
      encoded = URLEncoder.encode(encoded, StandardCharsets.UTF_8);
    }
    return encoded;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password%3D",
        "password=[",
        "password=a,a&a\"",
        "password=,",
        "identified with a by ",
        "password={\"",
        "password=\\\\\\\"",
        "%25",
        "password=%25",
        "mysql -p",
        "curl -u a:b ",
        "<password>",
        "a:b@",
        "://a:b@",
        "name=password,value=",
        "-----BEGIN A-----",
        "machine a login b ",
        "--from-literal="
      })
  @DisplayName("Redaction takes linear time for hostile lines")
  void hostileLines(String seed) {
    String line = seed.repeat(200_000 / seed.length()); // far more than evidence keeps of a line
    assertThat(of(line)).isNotNull();
  }
}
