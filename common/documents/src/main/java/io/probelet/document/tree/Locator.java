package io.probelet.document.tree;

/** Says where in the file a place of the parsed text is. */
@FunctionalInterface
interface Locator {
  /**
   * {@return the place in the file}
   *
   * @param line of the parsed text, 1 for the first
   * @param column of that line, 1 for the first
   */
  Position locate(int line, int column);
}
