package io.probelet.probe;

/**
 * Where a probe connects to: a number, or the name of one of the container's ports (P-11); or a
 * socket in the file system (P-34).
 */
public sealed interface Port {
  /**
   * A port by number.
   *
   * @param value 1 to 65535; anything else is a prober error when probed (P-17)
   */
  record Numeric(int value) implements Port {
    @Override
    public String toString() {
      return Integer.toString(value);
    }
  }

  /**
   * A Unix socket of this machine.
   *
   * @param path absolute, and short enough for the kernel
   */
  record UnixSocket(String path) implements Port {
    @Override
    public String toString() {
      return path;
    }
  }

  /**
   * A port by the name it has in the container's {@code ports}.
   *
   * @param value the name
   */
  record Named(String value) implements Port {
    @Override
    public String toString() {
      return value;
    }
  }
}
