package io.probelet.probe.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.probelet.probe.h2.RawServer.Then;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that speak something else, or HTTP/2 wrongly: always a failure that says so. */
class H2MalformedPeerTest {
  private static final String OK_HEADERS = "000001 01 04 00000001 88";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HTTP/1.1 400 Bad Request | not an HTTP/2 server: its response starts with "HTTP/1.1 400 Bad Request"
          SSH-2.0-OpenSSH_9.2p1    | not an HTTP/2 server: its response starts with "SSH-2.0-OpenSSH_9.2p1"
          +PONG-PONG-PONG          | not an HTTP/2 server: its response starts with "+PONG-PONG-PONG"
          """)
  void anotherProtocolIsQuoted(String greeting, String message) {
    try (RawServer server =
            new RawServer(greeting.getBytes(StandardCharsets.ISO_8859_1), Then.STAY);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure.describe()).isEqualTo(message);
      client.channel.closeFuture().syncUninterruptibly();
    }
  }

  static Stream<Arguments> brokenAnswers() {
    return Stream.of(
        arguments("settings of a wrong length", "000001 04 00 00000000 00", "broken HTTP/2"),
        arguments("a frame longer than allowed", "ffffff 00 00 00000001", "broken HTTP/2"),
        arguments(
            "body before headers",
            "000001 00 01 00000001 61",
            "broken HTTP/2: a response body before its headers"),
        arguments(
            "a second header block in the middle",
            OK_HEADERS + OK_HEADERS,
            "broken HTTP/2: Stream 1 received too many headers"),
        arguments(
            "a pushed stream",
            "000005 05 04 00000001 00000002 88",
            "broken HTTP/2: a pushed stream"),
        arguments("headers that do not unpack", "000001 01 05 00000001 80", "broken HTTP/2"),
        arguments(
            "an interrupted header block",
            "000001 01 00 00000001 88" + "000008 06 00 00000000 0000000000000000",
            "broken HTTP/2"),
        arguments("window of zero", "000004 08 00 00000000 00000000", "broken HTTP/2"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenAnswers")
  void aBrokenAnswerFailsTheRequest(String name, String frames, String message) {
    try (RawServer server = RawServer.frames(Then.STAY, RawServer.SETTINGS, frames);
        H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = client.get("/").await();

      assertThat(answer.failure).isInstanceOf(H2Failure.Malformed.class);
      assertThat(answer.failure.describe()).contains(message);
      assertThat(answer.lastCalls).hasValue(1);
    }
  }

  static Stream<Arguments> passedOver() {
    return Stream.of(
        arguments("headers for a stream nobody opened", "000001 01 05 00000007 88"),
        arguments("headers for a stream of the server's own", "000001 01 05 00000002 88"),
        arguments(
            "a long header block for a stream nobody opened",
            "000001 01 01 00000007 88 000000 09 04 00000007"),
        arguments("data for a stream nobody opened", "000001 00 01 00000007 61"),
        arguments("a reset of a stream nobody opened", "000004 03 00 00000007 00000008"),
        arguments("a window for a stream nobody opened", "000004 08 00 00000002 00000001"),
        arguments("a frame of an unknown type", "000001 77 ff 00000007 61"),
        arguments("a priority", "000005 02 00 00000007 00000000 01"),
        arguments("a priority of the stream over itself", "000005 02 00 00000001 00000001 01"),
        arguments("push allowed", "000006 04 00 00000000 0002 00000001"),
        arguments("frames of 0 bytes", "000006 04 00 00000000 0005 00000000"),
        arguments("frames of 16 MiB", "000006 04 00 00000000 0005 01000000"),
        arguments("an odd extended CONNECT", "000006 04 00 00000000 0008 00000002"),
        arguments("a setting nobody knows", "000006 04 00 00000000 0099 00000002"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("passedOver")
  void whatConcernsNoRequestIsPassedOver(String name, String frames) {
    String answer = OK_HEADERS + "000002 00 01 00000001 6f6b";
    try (RawServer server = RawServer.frames(Then.STAY, RawServer.SETTINGS, frames, answer);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").ok().body).hasToString("ok");
    }
  }

  @Test
  void otherSettingsInTheSameFrameCount() {
    String settings = "00000c 04 00 00000000 0002 00000001 0004 80000000"; // a window of 2 GiB
    try (RawServer server = RawServer.frames(Then.STAY, settings, OK_HEADERS);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure.describe()).contains("INITIAL_WINDOW_SIZE");
    }
  }

  @Test
  void headersThatArePassedOverStillCountForTheCompression() {
    String foreign = "000005 01 05 00000007 40 01 61 01 62"; // indexes a: b
    String answer = "000002 01 05 00000001 88 be";
    try (RawServer server = RawServer.frames(Then.STAY, RawServer.SETTINGS, foreign, answer);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").ok().headers.get("a")).hasToString("b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", RawServer.SETTINGS})
  void anAcknowledgmentCountsAsTheFirstSettings(String settings) {
    String answer = OK_HEADERS + "000002 00 01 00000001 6f6b";
    try (RawServer server = RawServer.frames(Then.STAY, "000000 04 01 00000000", settings, answer);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").ok().body).hasToString("ok");
    }
  }

  @Test
  void headersWithoutEndAreCutOff() {
    String huge = ByteBufUtil.hexDump(new byte[16_384]);
    StringBuilder frames = new StringBuilder(RawServer.SETTINGS);
    frames.append("004000 01 00 00000001").append(huge);
    for (int i = 0; i < 64; i++) {
      frames.append("004000 09 00 00000001").append(huge);
    }
    try (RawServer server = RawServer.frames(Then.STAY, frames.toString());
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure).isInstanceOf(H2Failure.Malformed.class);
    }
  }

  @Test
  void aPeerThatAsksAndDoesNotReadTheAnswersIsLeft() {
    // More than the kernel buffers between two sockets hold: the server reads only afterwards.
    String pings = "000008 06 00 00000000 0000000000000000".repeat(1_000_000);
    try (RawServer server = RawServer.frames(Then.STAY, RawServer.SETTINGS, pings);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure.describe())
          .isEqualTo("broken HTTP/2: the peer sends requests and does not read the replies");
    }
  }

  @ParameterizedTest
  @CsvSource({"CLOSE,connection closed by the server", "RESET,connection "})
  void reportsAConnectionThatEndsEarly(Then then, String message) {
    try (RawServer server = RawServer.frames(then, RawServer.SETTINGS, OK_HEADERS);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure.describe()).startsWith(message);
    }
  }

  @Test
  void aServerThatGoesAwayBeforeItSawTheRequestSaysSo() {
    String goAway = "00000c 07 00 00000000 00000000 0000000b 66756c6c";
    try (RawServer server = RawServer.frames(Then.STAY, RawServer.SETTINGS, goAway);
        H2Client client = new H2Client(server.address())) {
      assertThat(client.get("/").await().failure)
          .isEqualTo(new H2Failure.GoneAway(Http2Error.ENHANCE_YOUR_CALM.code(), "full"));
      client.channel.closeFuture().syncUninterruptibly();
    }
  }

  @Test
  void bytesAfterTheEndOfTheConnectionAreIgnored() {
    try (RawServer server =
            RawServer.frames(
                Then.CLOSE,
                RawServer.SETTINGS,
                "000001 01 05 00000007 88",
                "000001 01 05 00000001 88");
        H2Client client = new H2Client(server.address())) {
      RecordedResponse answer = client.get("/").await();
      client.channel.closeFuture().syncUninterruptibly();

      assertThat(answer.lastCalls).hasValue(1);
    }
  }
}
