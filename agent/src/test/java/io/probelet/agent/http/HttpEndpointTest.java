package io.probelet.agent.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.agent.http.Resource.Answer;
import io.probelet.agent.http.Resource.BadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  private IoEventLoopGroup loops;
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    resources.put("/hello", query -> Answer.of(200, Resource.TEXT, "hello " + query.get("name")));
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
    endpoint = new HttpEndpoint(ANYWHERE, loops, resources, Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void answersGetInOnePieceAndEndsTheConnection() throws IOException {
    assertThat(talk("GET /hello?name=a%20b&name=c HTTP/1.1\r\nHost: x\r\n\r\n"))
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
    assertThat(talk("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("content-length: 10\r\n")
        .endsWith("\r\n\r\n");
    assertThat(talk("HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void largeContentComesInChunksAndToHttp10AsItIs() throws IOException {
    String chunked = talk("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
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
          GET /nowhere HTTP/1.1    | 404 | no /nowhere here; there is /hello, /large, /broken, /picky, /endless
          GET /hello/ HTTP/1.1     | 404 | no /hello/ here
          GET /../hello HTTP/1.1   | 404 | no /../hello here
          POST /hello HTTP/1.1     | 405 | POST is not allowed; use GET or HEAD
          DELETE /hello HTTP/1.1   | 405 | DELETE is not allowed; use GET or HEAD
          GET /hello?a=%zz HTTP/1.1| 400 | badly escaped
          GET /picky HTTP/1.1      | 400 | history=x makes no sense
          GET /broken HTTP/1.1     | 500 | the \\"engine\\" is gone
          complete nonsense        | 400 | this is no HTTP request
          """)
  void errorsAreJsonThatSaysWhatWouldBeRight(String line, int status, String message)
      throws IOException {
    String answer = talk(line + "\r\nHost: x\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.")
        .contains(" " + status + " ")
        .contains("content-type: application/json\r\n")
        .containsPattern("\r\n\r\n\\{\"error\":\".*\"}\n$")
        .contains(message);
    assertThat(answer.contains("allow: GET, HEAD")).isEqualTo(status == 405);
  }

  @Test
  void aLongLineOrLargeHeadersAreRefused() throws IOException {
    assertThat(talk("GET /" + "a".repeat(4096) + " HTTP/1.1\r\n\r\n")).contains(" 414 ");
    assertThat(talk("GET /hello HTTP/1.1\r\nA: " + "a".repeat(8192) + "\r\n\r\n"))
        .contains(" 431 ");
  }

  @Test
  void pipelinedRequestsGetOneAnswer() throws IOException {
    String get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
    assertThat(talk(get + get)).containsOnlyOnce("HTTP/1.1 200 OK");
  }

  @Test
  void aSilentADrippingAndANeverReadingClientAreCutOff() throws Exception {
    endpoint.close();
    endpoint = new HttpEndpoint(ANYWHERE, loops, resources, Duration.ofMillis(300));
    try (Socket silent = connect();
        Socket dripping = connect();
        Socket never = connect()) {
      never.getOutputStream().write("GET /endless HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
      await()
          .atMost(Duration.ofMinutes(1))
          .ignoreException(SocketException.class)
          .until(() -> {
            dripping.getOutputStream().write('G');
            dripping.setSoTimeout(1);
            try {
              return dripping.getInputStream().read() < 0;
            } catch (java.net.SocketTimeoutException stillOpen) {
              return false;
            }
          });
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(brokenOff.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void oneConnectionTooManyIsClosedAtOnceAndLaterOnesAreServed() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < HttpEndpoint.MAX_CONNECTIONS; i++) {
        sockets.add(connect());
      }
      try (Socket oneTooMany = connect()) {
        oneTooMany.setSoTimeout(30_000); // long before its lifetime ends
        assertThat(oneTooMany.getInputStream().read()).isEqualTo(-1);
      }
      sockets.removeFirst().close();
      await()
          .atMost(Duration.ofMinutes(1))
          .ignoreException(SocketException.class)
          .until(() -> talk("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n").startsWith("HTTP/1.1 200"));
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aTakenAddressAndAnUnknownHostAreNamed() {
    assertThatThrownBy(() -> new HttpEndpoint(endpoint.address(), loops, resources))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cannot listen on "
                + endpoint.address()
                + ": the address is in use, by another Probelet?");
    assertThatThrownBy(
            () -> new HttpEndpoint(new ListenAddress("no.such.invalid", 1), loops, resources))
        .hasMessage("cannot listen on no.such.invalid:1: unknown host no.such.invalid");
  }

  @Test
  void closingGivesTheAddressBack() throws IOException {
    ListenAddress address = endpoint.address();
    assertThat(address.port()).isPositive();
    endpoint.close();
    endpoint = new HttpEndpoint(address, loops, resources);
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
      endpoint = new HttpEndpoint(ANYWHERE, others, resources);
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
