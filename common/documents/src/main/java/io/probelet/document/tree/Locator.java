package io.probelet.document.tree;

/** Maps positions of the parsed text to positions of the file. */
@FunctionalInterface
interface Locator {
  /**
   * {@return the position in the file}
   *
   * @param line of the parsed text, 1 for the first
   * @param column of that line, 1 for the first
   */
  Position locate(int line, int column);
}
