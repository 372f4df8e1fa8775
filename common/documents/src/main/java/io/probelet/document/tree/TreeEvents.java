package io.probelet.document.tree;

/** A pull parser of one document. */
interface TreeEvents {
  /** Returns the next event; at the end always {@link TreeEvent.Done}. */
  TreeEvent next() throws SyntaxException;
}
