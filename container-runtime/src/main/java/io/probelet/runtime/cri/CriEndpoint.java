package io.probelet.runtime.cri;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The endpoint of a node's container runtime. */
public final class CriEndpoint {
  /** The sockets of containerd, CRI-O and k3s, in the order they are tried. */
  private static final List<String> USUAL =
      List.of(
          "run/containerd/containerd.sock",
          "run/crio/crio.sock",
          "run/k3s/containerd/containerd.sock");

  private CriEndpoint() {}

  /**
   * Searches the usual sockets.
   *
   * @return the first socket that exists; empty if there is none
   */
  public static Optional<Path> find() {
    return find(Path.of("/"));
  }

  static Optional<Path> find(Path root) {
    return USUAL.stream().map(root::resolve).filter(Files::exists).findFirst();
  }

  /**
   * Parses an endpoint.
   *
   * @param text a path, or {@code unix:} and a path; the path is absolute
   * @return the socket's path, which need not exist yet
   * @throws IllegalArgumentException if it is invalid; the message names what is allowed
   */
  public static Path parse(String text) {
    String path = text.startsWith("unix://") ? text.substring("unix://".length()) : text;
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "runtime endpoint \""
              + text
              + "\" is not a unix socket; write it like unix:///run/containerd/containerd.sock");
    }
    return Path.of(path);
  }
}
