package io.probelet.web.http;

import static io.probelet.web.http.HttpLimits.OF_STATUS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.web.http.HttpLimits.Timeouts;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The server on the wire, spoken to over real sockets. */
@Timeout(120)
class HttpEndpointTest {
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final byte[] LARGE = new byte[5 * AnswerStream.CHUNK_BYTES + 1];

  static {
    Arrays.fill(LARGE, (byte) 'x');
  }

  private final LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
  private final CountDownLatch brokenOff = new CountDownLatch(1);
  private Set<String> configuredHosts = Set.of();
  private IoEventLoopGroup loops;
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    resources.put("/hello", query -> Answer.of(200, Resource.TEXT, "hello " + query.get("name")));
    resources.put("/livez", _ -> Answer.of(200, Resource.TEXT, "ok"));
    resources.put("/large", _ -> new Answer(200, Resource.TEXT, out -> out.write(LARGE)));
    resources.put(
        "/broken",
        _ -> {
          throw new IllegalStateException("the \"engine\" is gone");
        });
    resources.put(
        "/picky",
        _ -> {
          throw new BadRequest("history=x makes no sense");
        });
    resources.put(
        "/endless",
        _ ->
            new Answer(
                200,
                Resource.TEXT,
                out -> {
                  try {
                    while (true) {
                      out.write(LARGE);
                    }
                  } finally {
                    brokenOff.countDown();
                  }
                }));
    endpoint = open(Duration.ofMinutes(1), Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void answersGetInOnePieceAndEndsTheConnection() throws IOException {
    assertThat(talk("GET /hello?name=a%20b&name=c HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .isEqualTo(
            """
            HTTP/1.1 200 OK\r
            content-type: text/plain; charset=utf-8\r
            connection: close\r
            cache-control: no-store\r
            X-Content-Type-Options: nosniff\r
            content-length: 14\r
            \r
            hello [a b, c]\
            """);
  }

  @Test
  void headHasTheHeadersOfGetAndNoContent() throws IOException {
    assertThat(talk("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("content-length: 10\r\n")
        .endsWith("\r\n\r\n");
    assertThat(talk("HEAD /large HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void largeContentComesInChunksAndToHttp10AsItIs() throws IOException {
    String chunked = talk("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(chunked).contains("transfer-encoding: chunked\r\n").endsWith("\r\n0\r\n\r\n");
    assertThat(chunked.chars().filter(c -> c == 'x').count()).isGreaterThanOrEqualTo(LARGE.length);
    String plain = talk("GET /large HTTP/1.0\r\n\r\n");
    assertThat(plain).startsWith("HTTP/1.0 200 OK").doesNotContain("chunked");
    assertThat(plain.substring(plain.indexOf("\r\n\r\n") + 4)).hasSize(LARGE.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /nowhere HTTP/1.1    | 404 | no /nowhere here; there is /hello, /livez, /large, /broken, /picky, /endless
          GET /hello/ HTTP/1.1     | 404 | no /hello/ here
          GET /../hello HTTP/1.1   | 404 | no /../hello here
          POST /hello HTTP/1.1     | 405 | POST is not allowed; use GET or HEAD
          DELETE /hello HTTP/1.1   | 405 | DELETE is not allowed; use GET or HEAD
          GET /hello?a=%zz HTTP/1.1| 400 | invalid escape
          GET /picky HTTP/1.1      | 400 | history=x makes no sense
          GET /broken HTTP/1.1     | 500 | internal error
          complete nonsense        | 400 | not an HTTP request
          """)
  void errorsAreJsonThatSaysWhatWouldBeRight(String line, int status, String message)
      throws IOException {
    String answer = talk(line + "\r\nHost: localhost\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.")
        .contains(" " + status + " ")
        .contains("content-type: application/json\r\n")
        .containsPattern("\r\n\r\n\\{\"error\":\".*\"}\n$")
        .contains(message);
    assertThat(answer.contains("allow: GET, HEAD")).isEqualTo(status == 405);
  }

  @Test
  @Timeout(30) // at once, not when the time for a request's body is over
  void aLongLineOrLargeHeadersAreRefused() throws IOException {
    assertThat(talk("GET /" + "a".repeat(4096) + " HTTP/1.1\r\n\r\n")).contains(" 414 ");
    assertThat(talk("GET /hello HTTP/1.1\r\nA: " + "a".repeat(8192) + "\r\n\r\n"))
        .contains(" 431 ");
  }

  @Test
  void pipelinedRequestsGetOneAnswer() throws IOException {
    String get = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(talk(get + get)).containsOnlyOnce("HTTP/1.1 200 OK");
  }

  @Test
  void aSilentADrippingAndANeverReadingClientAreCutOff() throws Exception {
    endpoint.close();
    endpoint = open(Duration.ofSeconds(2), Duration.ofMillis(300));
    try (Socket silent = connect();
        Socket dripping = connect();
        Socket never = connect()) {
      never.getOutputStream().write("GET /endless HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> {
            try {
              dripping.getOutputStream().write('G');
              dripping.setSoTimeout(1);
              return dripping.getInputStream().read() < 0;
            } catch (SocketTimeoutException stillOpen) {
              return false;
            } catch (SocketException reset) { // a drop that came after the end
              return true;
            }
          });
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(brokenOff.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void whatFailsBeforeAnythingWasSentHasAStatus() throws IOException {
    resources.put(
        "/late",
        _ ->
            new Answer(
                200,
                Resource.TEXT,
                out -> {
                  out.write('x');
                  throw new IllegalStateException("the engine is gone");
                }));
    resources.put(
        "/later",
        _ ->
            new Answer(
                200,
                Resource.TEXT,
                out -> {
                  out.write(LARGE);
                  throw new IllegalStateException("the engine is gone");
                }));
    endpoint.close();
    endpoint = open(Duration.ofMinutes(1), Duration.ofMinutes(1));
    assertThat(talk("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 500 ")
        .contains("connection: close\r\n")
        .contains("internal error")
        .doesNotContain("engine", "Exception");
    assertThat(talk("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .as("its status is said already, so its end must be missing")
        .startsWith("HTTP/1.1 200 ")
        .doesNotContain("500 ", "\r\n0\r\n\r\n");
  }

  @Test
  void answersWith503AfterTheTimeLimit() throws Exception {
    CountDownLatch forgotten = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    resources.put(
        "/stuck",
        _ -> {
          forgotten.await();
          over.countDown();
          return Answer.of(200, Resource.TEXT, "at last");
        });
    endpoint.close();
    endpoint = open(Duration.ofMinutes(1), Duration.ofMillis(300));
    assertThat(talk("GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 503 ")
        .contains("connection: close\r\n")
        .contains("no answer within 300ms")
        .doesNotContain("at last");
    forgotten.countDown();
    assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void answersThatAreLateKeepTheirPlacesUntilTheyAreMade() throws Exception {
    AtomicInteger started = new AtomicInteger();
    CountDownLatch make = new CountDownLatch(1);
    resources.put(
        "/stuck",
        _ -> {
          started.incrementAndGet();
          make.await();
          return Answer.of(200, Resource.TEXT, "at last");
        });
    endpoint.close();
    endpoint = open(Duration.ofMinutes(1), Duration.ofMillis(300));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<String>> requests =
          Collections.nCopies(OF_STATUS.answered(), () -> talk("GET /stuck HTTP/1.1\r\n\r\n"));
      for (String reason : List.of("no answer within 300ms", "too many requests")) {
        for (Future<String> answer : clients.invokeAll(requests)) {
          assertThat(answer.get()).startsWith("HTTP/1.1 503").contains(reason);
        }
      }
      assertThat(talk("GET /livez HTTP/1.1\r\n\r\n")).endsWith("ok");
      assertThat(started).hasValue(OF_STATUS.answered());
      make.countDown();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> talk("GET /hello HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200"));
    } finally {
      make.countDown();
    }
  }

  private HttpEndpoint open(Duration head, Duration answer) throws IOException {
    return new HttpEndpoint(
        ANYWHERE,
        loops,
        resources,
        () -> configuredHosts,
        OF_STATUS.with(new Timeouts(head, head, answer, Duration.ZERO)));
  }

  @Test
  void silentConnectionsGiveWayToRequests() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 3 * OF_STATUS.waiting(); i++) {
        sockets.add(connect());
        if (i % 10 == 0) {
          assertThat(talk("GET /livez HTTP/1.1\r\n\r\n")).endsWith("ok");
          assertThat(talk("GET /hello HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
      }
      Socket first = sockets.getFirst();
      first.setSoTimeout(30_000); // long before its time is over
      assertThat(first.getInputStream().read()).isEqualTo(-1);
    } finally {
      close(sockets);
    }
  }

  @Test
  void slowestReaderGivesWayToNextRequest() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < OF_STATUS.answered(); i++) {
        Socket slow = connect();
        sockets.add(slow);
        slow.getOutputStream().write("GET /endless HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
        assertThat(slow.getInputStream().read()).as("answer begun").isEqualTo('H');
      }
      assertThat(talk("GET /livez?verbose HTTP/1.1\r\n\r\n")).endsWith("ok");
      assertThat(brokenOff.getCount()).as("health takes no reader's place").isEqualTo(1);
      assertThat(talk("GET /hello HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
      assertThat(brokenOff.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      close(sockets);
    }
  }

  @Test
  void clientsThatHangUpStartNoMoreAnswersThanThereArePlaces() throws Exception {
    AtomicInteger started = new AtomicInteger();
    CountDownLatch make = new CountDownLatch(1);
    resources.put(
        "/slow",
        _ -> {
          started.incrementAndGet();
          make.await();
          return Answer.of(200, Resource.TEXT, "made");
        });
    endpoint.close();
    endpoint = open(Duration.ofMinutes(1), Duration.ofMinutes(1));
    try {
      for (int i = 1; i <= OF_STATUS.answered(); i++) {
        int places = i;
        try (Socket client = connect()) {
          client.getOutputStream().write("GET /slow HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
          await()
              .atMost(Duration.ofMinutes(1))
              .untilAsserted(() -> assertThat(started).hasValue(places));
        }
      }
      for (int i = 0; i < OF_STATUS.answered(); i++) {
        assertThat(talk("GET /slow HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 503");
      }
      assertThat(talk("GET /livez HTTP/1.1\r\n\r\n")).endsWith("ok");
      assertThat(started).hasValue(OF_STATUS.answered());
      make.countDown();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> talk("GET /hello HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200"));
    } finally {
      make.countDown();
    }
  }

  @Test
  void clientsThatHangUpAtOnceLeaveAllPlaces() throws Exception {
    for (int i = 0; i < 50 * OF_STATUS.answered(); i++) {
      try (Socket client = connect()) {
        client.getOutputStream().write("GET /hello HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
        client.setSoLinger(true, 0); // closes by reset
      }
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> talk("GET /hello HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200"));
  }

  @Test
  void requestIsRefusedWhileAllAnswersAreBeingMade() throws Exception {
    CountDownLatch asked = new CountDownLatch(OF_STATUS.answered());
    CountDownLatch make = new CountDownLatch(1);
    resources.put(
        "/slow",
        _ -> {
          asked.countDown();
          make.await();
          return Answer.of(200, Resource.TEXT, "made");
        });
    endpoint.close();
    endpoint = open(Duration.ofMinutes(1), Duration.ofMinutes(1));
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < OF_STATUS.answered(); i++) {
        sockets.add(connect());
        sockets.get(i).getOutputStream().write("GET /slow HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
      }
      assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(talk("GET /hello HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 503");
      assertThat(talk("GET /livez HTTP/1.1\r\n\r\n")).endsWith("ok");
      make.countDown();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> talk("GET /hello HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200"));
    } finally {
      make.countDown();
      close(sockets);
    }
  }

  @Test
  void answerIsCompleteAndConnectionClosedThoughAnAnnouncedBodyNeverCame() throws IOException {
    endpoint.close();
    endpoint = open(Duration.ofHours(1), Duration.ofHours(1));
    assertThat(talk("GET /livez HTTP/1.1\r\nContent-Length: 10\r\n\r\n"))
        .contains("connection: close\r\n")
        .endsWith("ok");
    try (Socket neverCloses = connect()) {
      OutputStream out = neverCloses.getOutputStream();
      out.write("GET /hello HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n".getBytes(ISO_8859_1));
      assertThat(neverCloses.getInputStream().readAllBytes()).isNotEmpty();
      await().atMost(Duration.ofMinutes(1)).until(() -> isReset(out));
    }
  }

  private static boolean isReset(OutputStream out) {
    try {
      out.write('x');
      return false;
    } catch (IOException closed) {
      return true;
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void cutsOffLateRequestsBeforeAnswersInProgress() throws Exception {
    endpoint.close();
    endpoint = open(Duration.ofSeconds(2), Duration.ofMinutes(2));
    try (Socket dripping = connect();
        Socket answered = connect()) {
      answered.getOutputStream().write("GET /endless HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
      dripping.getOutputStream().write("GET /hello HTTP/1.1\r\nA: b".getBytes(ISO_8859_1));
      assertThat(dripping.getInputStream().read()).isEqualTo(-1);
      assertThat(answered.getInputStream().readNBytes(1000)).hasSize(1000);
      assertThat(brokenOff.getCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:20258,        200",
    "10.0.0.7,               200",
    "[::1]:20258,            200",
    "[fe80::1],              200",
    "localhost:1,            200",
    "LOCALHOST.,             200",
    "status.example.com,     200",
    "STATUS.example.com:80,  200",
    "evil.example,           421",
    "evil.example:20258,     421",
    "127.0.0.1.evil.example, 421",
    "localhost.evil.example, 421",
    "evil-localhost,         421",
    "[evil.example]:1,       421",
    "2130706433,             421",
    "'',                     421",
    "a:b:c,                  421",
  })
  void rejectsForeignHostNames(String host, int status) throws IOException {
    configuredHosts = Set.of("Status.Example.com");
    String answer = talk("GET /hello HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status);
    if (status == 421) {
      assertThat(answer)
          .contains("use an IP address or localhost, status.example.com,")
          .contains("http.hosts");
    }
  }

  @Test
  void twoHostsAreNone() throws IOException {
    assertThat(talk("GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"))
        .startsWith("HTTP/1.1 421")
        .contains("more than one Host header");
  }

  @Test
  void aTakenAddressAndAnUnknownHostAreNamed() {
    assertThatThrownBy(() -> new HttpEndpoint(endpoint.address(), loops, resources, Set::of))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cannot listen on "
                + endpoint.address()
                + ": address in use, possibly by another Probelet");
    assertThatThrownBy(() ->
            new HttpEndpoint(new ListenAddress("no.such.invalid", 1), loops, resources, Set::of))
        .hasMessage("cannot listen on no.such.invalid:1: unknown host no.such.invalid");
  }

  @Test
  void closingGivesTheAddressBack() throws IOException {
    ListenAddress address = endpoint.address();
    assertThat(address.port()).isPositive();
    endpoint.close();
    endpoint = new HttpEndpoint(address, loops, resources, Set::of);
    assertThat(talk("GET /hello HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
  }

  static Stream<IoHandlerFactory> transports() {
    return Stream.of(NioIoHandler.newFactory(), EpollIoHandler.newFactory());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void worksOnEveryTransport(IoHandlerFactory transport) throws IOException {
    endpoint.close();
    try (IoEventLoopGroup others = new MultiThreadIoEventLoopGroup(1, transport)) {
      endpoint = new HttpEndpoint(ANYWHERE, others, resources, Set::of);
      assertThat(talk("GET /hello HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200");
      endpoint.close();
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), endpoint.address().port());
  }

  private String talk(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }
}
