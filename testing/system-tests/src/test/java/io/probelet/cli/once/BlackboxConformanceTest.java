package io.probelet.cli.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.Certificates;
import io.probelet.health.ReservedPort;
import io.probelet.probe.grpc.ServingHealth;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Probes that Kubernetes does not have, side by side with Debian's blackbox_exporter: the same
 * target, the same expectation, one verdict. A row has the name of a module of blackbox_exporter,
 * our probe, the target, and the verdict.
 */
class BlackboxConformanceTest {
  private static final String PROGRAM = "prometheus-blackbox-exporter";
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private static final String MODULES =
      """
      modules:
        http: {prober: http, http: &http {preferred_ip_protocol: ip4}}
        head: {prober: http, http: {<<: *http, method: HEAD}}
        teapot: {prober: http, http: {<<: *http, valid_status_codes: [418]}}
        body: {prober: http, http: {<<: *http, fail_if_body_not_matches_regexp: ["st[a-z]+: up"]}}
        nobody: {prober: http, http: {<<: *http, fail_if_body_matches_regexp: [down]}}
        header:
          prober: http
          http:
            <<: *http
            fail_if_header_not_matches: [{header: Server-Mode, regexp: "^prim"}]
        https: {prober: http, http: {<<: *http, tls_config: {insecure_skip_verify: true}}}
        https_verified: {prober: http, http: {<<: *http, tls_config: &ca {ca_file: CA, server_name: shop.example}}}
        tcp: {prober: tcp, tcp: &tcp {preferred_ip_protocol: ip4}}
        smtp:
          prober: tcp
          tcp: {<<: *tcp, query_response: [{expect: "^220 "}, {send: "EHLO a\\r"}, {expect: "^250 "}]}
        starttls:
          prober: tcp
          tcp:
            <<: *tcp
            query_response: [{expect: "^220 "}, {send: "STARTTLS\\r"}, {expect: "^220"}, {starttls: true}, {send: "EHLO a\\r"}, {expect: "^250 "}]
            tls_config: {insecure_skip_verify: true}
        tls: {prober: tcp, tcp: {<<: *tcp, tls: true, tls_config: {insecure_skip_verify: true}}}
        tls_verified: {prober: tcp, tcp: {<<: *tcp, tls: true, tls_config: *ca}}
        tls_other_name: {prober: tcp, tcp: {<<: *tcp, tls: true, tls_config: {ca_file: CA, server_name: other.example}}}
        dns: {prober: dns, dns: &dns {preferred_ip_protocol: ip4, query_name: shop.example, query_type: A}}
        dns_answer:
          prober: dns
          dns: {<<: *dns, validate_answer_rrs: {fail_if_not_matches_regexp: [".*10\\\\.0\\\\.0\\\\.1"]}}
        dns_nxdomain: {prober: dns, dns: {<<: *dns, valid_rcodes: [NXDOMAIN]}}
        grpc: {prober: grpc, grpc: {preferred_ip_protocol: ip4}}
      """;

  private static final String SMTP =
      "{tcpSocket: {host: HOST, port: PORT, queryResponse: [{expect: '^220 '}, {send: \"EHLO a\\r\"},"
          + " {expect: '^250 '}]}}";
  private static final String STARTTLS =
      "{tcpSocket: {host: HOST, port: PORT, queryResponse: [{expect: '^220 '}, {send:"
          + " \"STARTTLS\\r\"}, {expect: '^220'}, {starttls: true}, {send: \"EHLO a\\r\"}, {expect:"
          + " '^250 '}]}, tls: {verify: false}}";

  private static @TempDir Path folder;
  private static Certificates certificates;
  private static SSLContext context;
  private static ReservedPort reserved;
  private static Process exporter;
  private static URI address;

  /** A target on loopback. */
  private record Target(int port, Closeable server) implements Closeable {
    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @BeforeAll
  static void startExporter() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, PROGRAM))),
        "requires " + PROGRAM);
    certificates = new Certificates(folder).add("good", "-ext", "san=dns:shop.example");
    context = certificates.server("good");
    String authority = certificates.certificate("ca").toString();
    Path config = folder.resolve("blackbox.yml");
    Files.writeString(config, MODULES.replace("CA,", authority + ","));
    reserved = new ReservedPort();
    int port = reserved.number();
    address = URI.create("http://127.0.0.1:" + port);
    exporter =
        new ProcessBuilder(
                PROGRAM,
                "--config.file=" + config,
                "--log.level=error",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("blackbox.log").toFile())
            .start();
    Awaitility.await().ignoreExceptions().until(() -> get("/-/healthy", 30).contains("Healthy"));
  }

  @AfterAll
  static void stopExporter() throws IOException {
    if (exporter != null) {
      exporter.destroyForcibly();
      reserved.close();
    }
  }

  private static String get(String path, int seconds) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(path))
            .header("X-Prometheus-Scrape-Timeout-Seconds", Integer.toString(seconds))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "http | {httpGet: {host: HOST, port: PORT}} | http 200 | true",
        "http | {httpGet: {host: HOST, port: PORT}} | http 204 | true",
        "http | {httpGet: {host: HOST, port: PORT}} | http 404 | false",
        "http | {httpGet: {host: HOST, port: PORT}} | http 503 | false",
        "http | {httpGet: {host: HOST, port: PORT}} | closed | false",
        "http | {httpGet: {host: HOST, port: PORT}} | babble | false",
        "head | {httpGet: {host: HOST, port: PORT, method: HEAD}} | head | true",
        "http | {httpGet: {host: HOST, port: PORT}} | head | false",
        "teapot | {httpGet: {host: HOST, port: PORT}, expect: {statuses: [418]}} | http 418 | true",
        "teapot | {httpGet: {host: HOST, port: PORT}, expect: {statuses: [418]}} | http 200 | false",
        "body | {httpGet: {host: HOST, port: PORT}, expect: {body: {matches: ['st[a-z]+: up']}}} |"
            + " says status: up | true",
        "body | {httpGet: {host: HOST, port: PORT}, expect: {body: {matches: ['st[a-z]+: up']}}} |"
            + " says status: down | false",
        "nobody | {httpGet: {host: HOST, port: PORT}, expect: {body: {notContains: down}}} |"
            + " says status: up | true",
        "nobody | {httpGet: {host: HOST, port: PORT}, expect: {body: {notContains: down}}} |"
            + " says status: down | false",
        "header | {httpGet: {host: HOST, port: PORT}, expect: {headers: [{name: Server-Mode,"
            + " matches: '^prim'}]}} | mode primary | true",
        "header | {httpGet: {host: HOST, port: PORT}, expect: {headers: [{name: Server-Mode,"
            + " matches: '^prim'}]}} | mode standby | false",
        "header | {httpGet: {host: HOST, port: PORT}, expect: {headers: [{name: Server-Mode,"
            + " matches: '^prim'}]}} | http 200 | false",
        "https | {httpGet: {host: HOST, port: PORT, scheme: HTTPS}} | https | true",
        "https | {httpGet: {host: HOST, port: PORT, scheme: HTTPS}} | http 200 | false",
        "https_verified | {httpGet: {host: HOST, port: PORT, scheme: HTTPS}, tls: {verify: true,"
            + " caFile: CA, serverName: shop.example}} | https | true",
        "tcp | {tcpSocket: {host: HOST, port: PORT}} | babble | true",
        "tcp | {tcpSocket: {host: HOST, port: PORT}} | closed | false",
        "smtp | SMTP | smtp 220 250 | true",
        "smtp | SMTP | smtp 554 250 | false",
        "smtp | SMTP | smtp 220 421 | false",
        "smtp | SMTP | closed | false",
        "starttls | STARTTLS | starttls 220 | true",
        "starttls | STARTTLS | starttls 454 | false",
        "tls | {tcpSocket: {host: HOST, port: PORT}, tls: {verify: false}} | https | true",
        "tls | {tcpSocket: {host: HOST, port: PORT}, tls: {verify: false}} | babble | false",
        "tls_verified | {tcpSocket: {host: HOST, port: PORT}, tls: {verify: true, caFile: CA,"
            + " serverName: shop.example}} | https | true",
        "tls_other_name | {tcpSocket: {host: HOST, port: PORT}, tls: {verify: true, caFile: CA,"
            + " serverName: other.example}} | https | false",
        "dns | {dns: {host: HOST, port: PORT, queryName: shop.example}} | dns 0 | true",
        "dns | {dns: {host: HOST, port: PORT, queryName: shop.example}} | dns 2 | false",
        "dns | {dns: {host: HOST, port: PORT, queryName: shop.example}} | dns 3 | false",
        "dns_answer | {dns: {host: HOST, port: PORT, queryName: shop.example, answers: [10.0.0.1]}}"
            + " | dns 0 | true",
        "dns_nxdomain | {dns: {host: HOST, port: PORT, queryName: shop.example, validRcodes:"
            + " [NXDOMAIN]}} | dns 3 | true",
        "dns_nxdomain | {dns: {host: HOST, port: PORT, queryName: shop.example, validRcodes:"
            + " [NXDOMAIN]}} | dns 0 | false",
        "grpc | {grpc: {port: PORT}} | grpc 1 | true",
        "grpc | {grpc: {port: PORT}} | grpc 2 | false",
        "grpc | {grpc: {port: PORT}} | closed | false",
      })
  @DisplayName("H-1 to H-17 blackbox_exporter has the same verdict")
  void sameVerdict(String module, String probe, String kind, boolean healthy) throws Exception {
    try (Target target = target(kind)) {
      // A server that leaves a client waiting fails by timeout; success has all the time.
      int seconds = healthy ? 30 : 2;
      assertThat(theirs(module, target.port(), seconds)).as("blackbox_exporter").isEqualTo(healthy);
      String spec = Map.of("SMTP", SMTP, "STARTTLS", STARTTLS).getOrDefault(probe, probe);
      assertThat(ours(spec, target.port(), seconds)).as("probelet").isEqualTo(healthy);
    }
  }

  private static boolean theirs(String module, int port, int seconds) throws Exception {
    String scheme = module.startsWith("https") ? "https://" : "";
    String target = scheme + "127.0.0.1:" + port;
    String metrics =
        get(
            "/probe?module="
                + module
                + "&target="
                + URLEncoder.encode(target, StandardCharsets.UTF_8),
            seconds);
    assertThat(metrics).contains("probe_success");
    return metrics.lines().anyMatch("probe_success 1"::equals);
  }

  private static boolean ours(String spec, int port, int seconds) {
    StringWriter out = new StringWriter();
    String text =
        spec.replace("HOST", "127.0.0.1")
            .replace("PORT", Integer.toString(port))
            .replace("CA,", certificates.certificate("ca") + ",");
    int code =
        new CommandLine(new ProbeCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute("--spec", text, "--pod-ip", "127.0.0.1", "--timeout", seconds + "s");
    assertThat(code).as(out.toString()).isIn(0, 1);
    return code == 0;
  }

  private static Target target(String kind) throws IOException {
    String[] words = kind.split(" ", 2);
    String argument = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "http" -> http(Integer.parseInt(argument), "", "x");
      case "says" -> http(200, argument, "x");
      case "mode" -> http(200, "", argument);
      case "head" -> headOnly();
      case "closed" -> closed();
      case "babble" -> scripted(connection -> connection.send("no protocol at all\n"));
      case "https" -> https();
      case "smtp" -> scripted(connection -> smtp(connection, argument.split(" ")));
      case "starttls" -> scripted(connection -> startTls(connection, argument));
      case "dns" -> dns(Integer.parseInt(argument));
      case "grpc" -> {
        ServingHealth server = new ServingHealth(Integer.parseInt(argument));
        yield new Target(server.port(), server::close);
      }
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static Target http(int status, String body, String mode) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Server-Mode", mode);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return new Target(server.getAddress().getPort(), () -> server.stop(0));
  }

  private static Target headOnly() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean head = exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(head ? 200 : 405, -1);
          exchange.close();
        });
    server.start();
    return new Target(server.getAddress().getPort(), () -> server.stop(0));
  }

  private static Target https() {
    ScriptedServer server =
        ScriptedServer.startTls(
            context,
            connection -> {
              ((SSLSocket) connection.socket()).startHandshake();
              connection.request();
              connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            });
    return new Target(server.port(), server::close);
  }

  private static Target scripted(ScriptedServer.Script script) {
    ScriptedServer server = ScriptedServer.start(script);
    return new Target(server.port(), server::close);
  }

  private static Target closed() throws IOException {
    ClosedPort port = new ClosedPort();
    return new Target(port.number(), port::close);
  }

  private static void smtp(ScriptedServer.Connection connection, String[] codes)
      throws IOException {
    connection.send(codes[0] + " shop ESMTP\r\n");
    line(connection.in());
    connection.send(codes[1] + " shop\r\n");
    line(connection.in());
  }

  private static void startTls(ScriptedServer.Connection connection, String code)
      throws IOException {
    connection.send("220 shop ESMTP\r\n");
    line(connection.in());
    connection.send(code + " TLS\r\n");
    SSLSocket secured =
        (SSLSocket)
            context.getSocketFactory().createSocket(connection.socket(), "shop.example", 0, true);
    secured.setUseClientMode(false);
    line(secured.getInputStream());
    secured.getOutputStream().write("250 shop\r\n".getBytes(StandardCharsets.US_ASCII));
    line(secured.getInputStream());
  }

  private static void line(java.io.InputStream in) throws IOException {
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      // only its end counts
    }
  }

  /** Answers each query with this response code, and with 10.0.0.1 if it is 0. */
  private static Target dns(int code) throws IOException {
    DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              DatagramPacket packet = new DatagramPacket(new byte[512], 512);
              socket.receive(packet);
              byte[] query = Arrays.copyOf(packet.getData(), packet.getLength());
              byte[] answer = answer(query, code);
              socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
          } catch (IOException closed) {
            // the test has ended
          }
        });
    return new Target(socket.getLocalPort(), socket);
  }

  /** The query's header and question, and perhaps one address. */
  private static byte[] answer(byte[] query, int code) {
    int question = 12 + "shop.example".length() + 2 + 4;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(query, 0, question);
    if (code == 0) {
      out.writeBytes(new byte[] {(byte) 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1});
    }
    byte[] answer = out.toByteArray();
    answer[2] |= (byte) 0x80;
    answer[3] = (byte) code;
    answer[7] = (byte) (code == 0 ? 1 : 0);
    answer[11] = 0; // no additional records
    return answer;
  }
}
