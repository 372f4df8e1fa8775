package io.probelet.manifest.pod;

import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import java.nio.file.Path;

/** Reads documents without a kind, which are recognized by their keys. */
public interface KindlessReader {
  /**
   * Recognizes its documents.
   *
   * @param document a document without a kind
   * @return whether this reader reads it
   */
  boolean recognises(Node.Mapping document);

  /** {@return the noun for one of its documents in a summary, such as {@code scenario}} */
  String noun();

  /**
   * Reads a document.
   *
   * @param number number of the document in the file, starting at 1
   */
  void read(Path file, int number, Node.Mapping document, Problems problems);
}
