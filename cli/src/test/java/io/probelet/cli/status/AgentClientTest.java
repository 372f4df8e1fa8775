package io.probelet.cli.status;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.probelet.web.http.ListenAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client says of an agent that is gone when asked again, and of an answer without an end.
 */
@Timeout(60)
class AgentClientTest {
  @Test
  @DisplayName("reports an agent that has ended since the last answer")
  void gone() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", socket.getLocalPort());
      FutureTask<@Nullable Void> agent = new FutureTask<>(() -> answerOnceAndEnd(socket));
      Thread.ofVirtual().start(agent);
      AgentClient client = new AgentClient(address);
      assertThat(client.probed(0)).isEmpty();
      assertThatIOException()
          .isThrownBy(() -> client.probed(0))
          .withMessageContaining("no agent at " + address);
      agent.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("gives an endless answer up at 8 MiB: another program may have the port")
  void endless() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", socket.getLocalPort());
      FutureTask<@Nullable Void> other = new FutureTask<>(() -> answerWithoutEnd(socket));
      Thread.ofVirtual().start(other);
      assertThatIOException()
          .isThrownBy(() -> new AgentClient(address).probed(0))
          .withMessage(
              "no valid answer from the agent at "
                  + address
                  + ": more than 8 MiB; choose one namespace with -n");
      other.get(30, TimeUnit.SECONDS);
    }
  }

  /** Attack: another program listens there, and sends a byte now and then. */
  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n["})
  void givesUpSlowAnswerInTime(String begun) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", socket.getLocalPort());
      FutureTask<@Nullable Void> other = new FutureTask<>(() -> drip(socket, begun));
      Thread.ofVirtual().start(other);
      assertThatIOException()
          .isThrownBy(() -> new AgentClient(address, Duration.ofMillis(300)).probed(0))
          .withMessage("the agent at " + address + " did not answer within 300ms");
      other.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void allowsHalfAMinuteForAnswer() {
    assertThat(AgentClient.ANSWER).isEqualTo(Duration.ofSeconds(30));
  }

  /** Attack: another program listens there, and its short texts take all memory. */
  @Test
  void refusesMillionsOfShortTexts() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ListenAddress address = new ListenAddress("127.0.0.1", socket.getLocalPort());
      Thread.ofVirtual().start(() -> answer(socket, "[" + "\"a\",".repeat(2_000_000) + "1]"));
      assertThatIOException()
          .isThrownBy(() -> new AgentClient(address).probed(0))
          .withMessage(
              "no valid answer from the agent at "
                  + address
                  + ": a list with more than 50000 values; choose one namespace with -n");
    }
  }

  private static void answer(ServerSocket socket, String body) {
    try (Socket asked = socket.accept();
        OutputStream out = asked.getOutputStream()) {
      assertThat(asked.getInputStream().read(new byte[4096])).isPositive(); // else it is reset
      out.write(("HTTP/1.0 200 OK\r\n\r\n" + body).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends bytes until the client has hung up. */
  private static @Nullable Void drip(ServerSocket socket, String begun) throws IOException {
    try (Socket asked = socket.accept()) {
      asked.getOutputStream().write(begun.getBytes(US_ASCII));
      asked.setSoTimeout(10);
      int read = 0;
      while (read >= 0) {
        try {
          read = asked.getInputStream().read(new byte[4096]);
        } catch (SocketTimeoutException stillThere) {
          asked.getOutputStream().write(' ');
        }
      }
      return null;
    } catch (SocketException closed) {
      return null;
    }
  }

  private static @Nullable Void answerWithoutEnd(ServerSocket socket) throws IOException {
    try (Socket asked = socket.accept()) {
      OutputStream out = asked.getOutputStream();
      out.write("HTTP/1.0 200 OK\r\n\r\n[".getBytes(US_ASCII));
      byte[] blanks = " ".repeat(1 << 16).getBytes(US_ASCII);
      while (true) {
        out.write(blanks);
      }
    } catch (SocketException closed) {
      return null;
    }
  }

  /** Listens no more once it was asked; the connection ends with the next request, or before. */
  private static @Nullable Void answerOnceAndEnd(ServerSocket socket) throws IOException {
    try (Socket asked = socket.accept()) {
      socket.close();
      BufferedReader request =
          new BufferedReader(new InputStreamReader(asked.getInputStream(), US_ASCII));
      String line = request.readLine();
      while (line != null && !line.isEmpty()) {
        line = request.readLine();
      }
      String answer =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
      asked.getOutputStream().write(answer.getBytes(US_ASCII));
      request.readLine();
      return null;
    }
  }
}
