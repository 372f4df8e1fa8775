package io.probelet.agent.config;

import io.probelet.runtime.cri.CriEndpoint;
import java.nio.file.Path;
import java.util.Optional;

/** Which container runtime an agent asks. */
public sealed interface RuntimeChoice {
  /** Whichever listens where containerd or CRI-O usually do; without one it is as with none. */
  record Usual() implements RuntimeChoice {}

  /** None: what the API server says of containers has to do. */
  record None() implements RuntimeChoice {}

  /** This one, whether it is there already or not. */
  record Socket(Path socket) implements RuntimeChoice {}

  /** {@return where the runtime listens, as of now; empty if none is to be asked} */
  default Optional<Path> endpoint() {
    return switch (this) {
      case None _ -> Optional.empty();
      case Socket(Path path) -> Optional.of(path);
      case Usual _ -> CriEndpoint.find();
    };
  }

  /**
   * Reads a choice as a user writes it.
   *
   * @param text {@code auto}, {@code none}, or a socket
   * @throws IllegalArgumentException if it is anything else; the message says what would be right
   */
  static RuntimeChoice parse(String text) {
    return switch (text) {
      case "auto" -> new Usual();
      case "none" -> new None();
      default -> new Socket(CriEndpoint.parse(text));
    };
  }
}
