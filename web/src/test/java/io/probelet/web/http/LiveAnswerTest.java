package io.probelet.web.http;

import static io.probelet.web.http.HttpLimits.OF_STATUS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.probelet.web.http.HttpLimits.Timeouts;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.LiveBody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers without an end, over real sockets. */
@Timeout(120)
class LiveAnswerTest {
  private static final Duration ANSWER = Duration.ofMillis(500);
  private static final String GET = "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private IoEventLoopGroup loops;
  private HttpEndpoint endpoint;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    LiveBody body =
        out -> {
          try {
            while (true) {
              String next = said.poll(10, TimeUnit.MILLISECONDS);
              out.write((next == null ? "" : next).getBytes(ISO_8859_1));
              out.flush();
            }
          } catch (InterruptedException stopping) {
            throw new IOException(stopping);
          } finally {
            ended.countDown();
          }
        };
    resources.put("/live", _ -> new Answer(200, "text/event-stream", body));
    resources.put(
        "/whole",
        _ ->
            new Answer(
                200,
                Resource.TEXT,
                out -> {
                  out.write('a');
                  out.flush();
                  out.write('b');
                }));
    endpoint =
        new HttpEndpoint(
            new ListenAddress("127.0.0.1", 0),
            loops,
            resources,
            Set::of,
            OF_STATUS.with(new Timeouts(ANSWER, ANSWER, ANSWER, Duration.ZERO)));
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  @DisplayName("Flushed content arrives at once, and may last longer than an answer")
  void goesOn() throws Exception {
    try (Socket socket = ask(GET)) {
      long begin = System.nanoTime();
      said.add("first.");
      assertThat(readUntil(socket, "first.")).contains("transfer-encoding: chunked");
      await().atLeast(Duration.ZERO).until(() -> System.nanoTime() - begin > 3 * ANSWER.toNanos());
      said.add("last.");
      readUntil(socket, "last.");
    }
  }

  @Test
  @DisplayName("A viewer that does not read is cut off after the time limit of an answer")
  void neverReads() throws Exception {
    char[] much = new char[16 * 1024 * 1024];
    Arrays.fill(much, 'x');
    try (Socket socket = ask(GET)) {
      said.add(new String(much));
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(socket.isConnected()).isTrue();
    }
  }

  @Test
  @DisplayName("When the viewer goes, the answer ends although there was nothing to say")
  void goes() throws Exception {
    Socket socket = ask(GET);
    said.add("first.");
    readUntil(socket, "first.");
    socket.close();
    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  @DisplayName("It ends with the server")
  void endsWithTheServer() throws Exception {
    try (Socket socket = ask(GET)) {
      said.add("first.");
      readUntil(socket, "first.");
      endpoint.close();
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  @DisplayName("HEAD gets the head, and nothing begins")
  void head() throws Exception {
    try (Socket socket = ask("HEAD /live HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .startsWith("HTTP/1.1 200 OK")
          .contains("content-type: text/event-stream")
          .endsWith("\r\n\r\n");
      assertThat(ended.getCount()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("Any other answer is sent in one piece, however often it is flushed")
  void others() throws Exception {
    try (Socket socket = ask("GET /whole HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .contains("content-length: 2")
          .endsWith("ab");
    }
  }

  private Socket ask(String request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.address().port());
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    return socket;
  }

  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("after %s", text).isNotNegative();
      text.append((char) next);
    }
    return text.toString();
  }
}
