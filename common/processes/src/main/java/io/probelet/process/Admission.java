package io.probelet.process;

import java.io.IOException;

/**
 * Registers a process group before its program may run. The group's leader waits in the meantime:
 * it reads a line from standard input, and exits at end of input.
 */
public interface Admission {
  /**
   * Admits a group.
   *
   * @throws IOException if it must not run; its leader is then killed
   */
  void enter(long group) throws IOException;

  /**
   * Records that a group has ended and its number may be reused. Also called for a group that was
   * not admitted.
   */
  void left(long group);
}
