package io.probelet.process;

import java.io.IOException;

/**
 * Who has to know a process group before its program may run. The group's leader waits meanwhile:
 * it reads a line from its standard input, and ends if it finds the end of the input instead.
 */
public interface Admission {
  /**
   * Lets a group in.
   *
   * @throws IOException if it must not run; the leader is killed then
   */
  void enter(long group) throws IOException;

  /**
   * Records that nothing of a group is left and its number may soon be another's. Also called for
   * one that was not let in.
   */
  void left(long group);
}
