package io.probelet.manifest.pod;

import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import java.nio.file.Path;

/** Reads documents that have no kind, and are recognised by their keys. */
public interface KindlessReader {
  /**
   * Distinguishes its documents from others.
   *
   * @param document a document without a kind
   * @return whether this reads it
   */
  boolean recognises(Node.Mapping document);

  /**
   * Reads a document.
   *
   * @param number which document of the file, 1 for the first
   */
  void read(Path file, int number, Node.Mapping document, Problems problems);
}
