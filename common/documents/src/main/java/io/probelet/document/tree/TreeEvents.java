package io.probelet.document.tree;

/** A parser of one document, pulled event by event. */
interface TreeEvents {
  /** Returns the next event, {@link TreeEvent.Done} for ever at the end. */
  TreeEvent next() throws SyntaxException;
}
