package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.SystemClock;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class UnixSocketServerTest {
  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
  private final Echo echo = new Echo();

  @TempDir Path folder;
  private Path socket;

  /** Says what it was asked. */
  private static final class Echo implements ObjectsResource {
    @Override
    public Answer get(Map<String, List<String>> query) {
      return Answer.of(200, Resource.TEXT, "get " + query);
    }

    @Override
    public Answer put(byte[] body) {
      return Answer.of(200, Resource.TEXT, "put " + body.length);
    }

    @Override
    public Answer delete(Map<String, List<String>> query) {
      return Answer.of(200, Resource.TEXT, "delete " + query);
    }
  }

  @BeforeEach
  void path() {
    socket = folder.resolve("s");
  }

  @AfterEach
  void close() {
    loops.close();
  }

  private UnixSocketServer open() throws IOException {
    return UnixSocketServer.open(
        socket, loops.all().getFirst().eventLoop(), Map.of("/objects", echo));
  }

  @Test
  void listsStoresAndRemovesOnOnePath() throws IOException {
    try (UnixSocketServer _ = open()) {
      UnixClient client = new UnixClient(socket);
      assertThat(client.get("/objects?a=b").body()).isEqualTo("get {a=[b]}");
      assertThat(client.send("PUT", "/objects", "four").body()).isEqualTo("put 4");
      assertThat(client.send("DELETE", "/objects?a=b", "").body()).isEqualTo("delete {a=[b]}");
      assertThat(client.send("POST", "/objects", ""))
          .isEqualTo(
              new UnixClient.Answer(
                  405, "{\"error\":\"POST is not allowed; use GET or HEAD or PUT or DELETE\"}\n"));
      assertThat(client.get("/other").status()).isEqualTo(404);
    }
  }

  @Test
  @DisplayName("PS-4 a body of 1 MiB is read, a larger one is answered by 413")
  void bodies() throws IOException {
    try (UnixSocketServer _ = open()) {
      UnixClient client = new UnixClient(socket);
      assertThat(client.send("PUT", "/objects", "x".repeat(1024 * 1024)).body())
          .isEqualTo("put 1048576");
      assertThat(client.send("PUT", "/objects", "x".repeat(1024 * 1024 + 1)))
          .isEqualTo(new UnixClient.Answer(413, "{\"error\":\"more than 1048576 bytes\"}\n"));
    }
  }

  @Test
  @DisplayName("PS-2 the socket is private, and goes with the server")
  void privateSocket() throws IOException {
    try (UnixSocketServer _ = open()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  @DisplayName("PS-2 the socket of a process that was killed is replaced")
  void stale() throws IOException {
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(socket));
    } // which leaves the file
    assertThat(socket).exists();
    try (UnixSocketServer _ = open()) {
      assertThat(new UnixClient(socket).get("/objects").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("PS-2 a socket in use is left alone")
  void inUse() throws IOException {
    try (UnixSocketServer _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessage(socket + " is in use, possibly by another Probelet");
      assertThat(new UnixClient(socket).get("/objects").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("PS-2 a file that is no socket is left alone")
  void otherFile() throws IOException {
    Files.writeString(socket, "notes");
    assertThatThrownBy(this::open)
        .hasMessage(socket + " exists and is not a socket; remove it or name another path");
    assertThat(socket).hasContent("notes");
  }

  @Test
  @DisplayName("PS-2 a link is not followed")
  void link() throws IOException {
    Files.createSymbolicLink(socket, folder.resolve("elsewhere"));
    assertThatThrownBy(this::open).hasMessageContaining("exists and is not a socket");
  }

  @Test
  @DisplayName("PS-2 a folder in which others may rename files is refused")
  void sharedFolder() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertThatThrownBy(this::open).hasMessageContaining("be writable by no one else; found uid");
    assertThat(socket).doesNotExist();
  }

  @Test
  @DisplayName("PS-2 the path has 107 bytes at most")
  void longestPath() throws IOException {
    String rest = "x".repeat(107 - folder.toString().length() - 1);
    socket = folder.resolve(rest);
    open().close();
    socket = folder.resolve(rest + "x");
    assertThatThrownBy(this::open)
        .hasMessage(socket + ": the path of a Unix socket has at most 107 bytes, found 108");
  }

  @Test
  @DisplayName("PS-2 a missing folder is created for this user alone")
  void missingFolder() throws IOException {
    socket = folder.resolve("none/s");
    open().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileInPlaceOfTheFolderIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    socket = file.resolve("s");
    assertThatThrownBy(this::open).hasMessageStartingWith(socket + ": cannot create the folder");
  }
}
