package io.probelet.web.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.probelet.health.FailureReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server on a Unix socket that only the user of this process, and root, can use (PS-2: who
 * reaches it decides what is probed). It is there from its creation until it is closed.
 */
public final class UnixSocketServer implements AutoCloseable {
  /** Bytes of a path that the kernel takes, without the zero at its end. */
  public static final int MAX_PATH_BYTES = 107;

  private static final Logger LOG = LoggerFactory.getLogger(UnixSocketServer.class);
  private static final int ROOT = 0;
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 07777;
  private static final FileAttribute<?> NEW_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path path;
  private final HttpEndpoint endpoint;

  private UnixSocketServer(Path path, HttpEndpoint endpoint) {
    this.path = path;
    this.endpoint = endpoint;
  }

  /** Owner and mode of a file. */
  private record Status(int owner, int mode) {
    static Status of(Path file) throws IOException {
      return new Status(
          (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS),
          (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS));
    }

    boolean isSocket() {
      return (mode & FILE_TYPE) == SOCKET;
    }
  }

  /**
   * Opens a server. A socket file that nobody listens on any more is replaced (PS-2: a process that
   * was killed leaves its own behind).
   *
   * @param socket its path, in a folder that others cannot change; a missing one is created
   * @param loops shared with others and not shut down here
   * @param routes by path
   * @return the server, to be closed by the caller
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static UnixSocketServer open(Path socket, EventLoopGroup loops, Map<String, Route> routes)
      throws IOException {
    Path path = socket.toAbsolutePath().normalize();
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_PATH_BYTES) {
      throw new IOException(
          "%s: the path of a Unix socket has at most %d bytes, found %d"
              .formatted(path, MAX_PATH_BYTES, bytes));
    }
    int user = user();
    requireOwnFolder(path, user);
    removeStale(path, user);
    HttpEndpoint endpoint =
        HttpEndpoint.ofProbeServer(path, loops, routes, channel -> isOf(channel, user));
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      return new UnixSocketServer(path, endpoint);
    } catch (IOException unable) {
      endpoint.close();
      throw new IOException(
          path + ": cannot make the socket private: " + FailureReason.of(unable), unable);
    }
  }

  private static int user() throws IOException {
    return Status.of(Path.of("/proc/self")).owner();
  }

  /** Until its mode is set, others might connect: the kernel says who they are. */
  private static boolean isOf(Channel channel, int user) {
    if (!(channel instanceof EpollDomainSocketChannel unix)) {
      return true; // the mode of the socket is all there is
    }
    try {
      int peer = unix.peerCredentials().uid();
      return peer == user || peer == ROOT;
    } catch (IOException gone) {
      LOG.debug("connection closed, its user is unknown", gone);
      return false;
    }
  }

  /** Who can rename files in a folder can put a socket of their own in the place of ours. */
  private static void requireOwnFolder(Path path, int user) throws IOException {
    Path folder = path.getParent();
    if (folder == null) {
      throw new IOException(path + " is not a file in a folder");
    }
    try {
      Files.createDirectories(folder, NEW_FOLDER);
    } catch (IOException unable) {
      throw new IOException(
          path + ": cannot create the folder " + folder + ": " + FailureReason.of(unable), unable);
    }
    Status found = Status.of(folder.toRealPath());
    boolean shared = (found.mode() & WRITABLE_BY_OTHERS) != 0 && (found.mode() & STICKY) == 0;
    if (shared || (found.owner() != user && found.owner() != ROOT)) {
      throw new IOException(
          ("%s: the folder %s must belong to the user of this process or root, and be writable by"
                  + " no one else; found uid %d, mode %04o")
              .formatted(path, folder, found.owner(), found.mode() & PERMISSIONS));
    }
  }

  private static void removeStale(Path path, int user) throws IOException {
    Status found;
    try {
      found = Status.of(path);
    } catch (NoSuchFileException free) {
      return;
    }
    if (!found.isSocket()) {
      throw new IOException(path + " exists and is not a socket; remove it or name another path");
    }
    if (found.owner() != user) {
      throw new IOException(
          "%s belongs to uid %d; remove it or name another path".formatted(path, found.owner()));
    }
    if (isListenedOn(path)) {
      throw new IOException(path + " is in use, possibly by another Probelet");
    }
    LOG.info("stale socket removed path={}", path);
    Files.delete(path);
  }

  private static boolean isListenedOn(Path path) throws IOException {
    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.configureBlocking(false); // a full backlog is a listener, too
      client.connect(UnixDomainSocketAddress.of(path));
      return true;
    } catch (ConnectException refused) {
      return false;
    } catch (IOException busy) {
      LOG.debug("socket is in use path={}", path, busy);
      return true;
    }
  }

  /** Stops answering and removes the socket file. Not for use on an event loop. */
  @Override
  public void close() {
    endpoint.close();
    try {
      Files.deleteIfExists(path);
    } catch (IOException unable) {
      LOG.warn("socket not removed path={} reason=\"{}\"", path, FailureReason.of(unable));
    }
  }
}
