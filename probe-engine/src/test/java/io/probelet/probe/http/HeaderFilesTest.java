package io.probelet.probe.http;

import static io.probelet.probe.TestTimeout.await;
import static io.probelet.probe.http.HttpProbing.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.HttpHeader.FromFile;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.http.RequestHead.HeaderField;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Header values that stand in files. */
class HeaderFilesTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  @TempDir Path directory;

  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

  private final Script keepRequest =
      to -> {
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
          request.append((char) to.in().read());
        }
        requests.add(request.toString());
        to.send(HttpProbing.response(200, "ok"));
      };

  @Test
  @DisplayName("a value is read when it is needed, and again when its file has changed")
  void token() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "one\n");
    try (ScriptedServer server = ScriptedServer.start(keepRequest)) {
      assertThat(probe(server, token)).isEqualTo(new Success("ok"));
      assertThat(requests.take()).contains("\r\nAuthorization: Bearer one\r\n");

      Files.writeString(token, "another\n");
      await()
          .untilAsserted(() -> {
            probe(server, token);
            assertThat(requests.take()).contains("\r\nAuthorization: Bearer another\r\n");
          });
    }
  }

  @Test
  @DisplayName("a file that cannot be read is a prober error that tells no value; nothing is sent")
  void unreadable() throws Exception {
    Path large = Files.write(directory.resolve("large"), new byte[HeaderValues.MAX_FILE_BYTES + 1]);
    Path lines = Files.writeString(directory.resolve("lines"), "s3cret\nX-Other: s3cret");
    try (ScriptedServer server = ScriptedServer.start(keepRequest)) {
      assertThat(probe(server, Path.of("/dev/zero")))
          .isEqualTo(bad("header file /dev/zero must be a regular file"));
      assertThat(probe(server, large))
          .isEqualTo(bad("header file " + large + " must have at most 16384 bytes"));
      assertThat(probe(server, directory.resolve("absent")))
          .isEqualTo(bad("header file " + directory.resolve("absent") + " does not exist"));
      assertThat(probe(server, lines).text())
          .contains("invalid header field value for \"Authorization\"")
          .doesNotContain("s3cret");
      assertThat(requests).isEmpty();
    }
  }

  @Test
  @DisplayName("no text form of a header tells its value")
  void secret() {
    assertThat(new HttpHeader("Authorization", "Bearer s3cret").toString())
        .contains("Authorization")
        .doesNotContain("s3cret");
    assertThat(new HeaderField("Authorization", "Bearer s3cret").toString())
        .isEqualTo("Authorization");
  }

  private static Verdict bad(String why) {
    return new ProberError(Reason.BAD_TARGET, why);
  }

  private static Verdict probe(ScriptedServer server, Path file) {
    return PROBING.verdict(
        get(server.port(), "/", new HttpHeader("Authorization", new FromFile("Bearer ", file))));
  }
}
