/**
 * YAML and JSON text as a tree with positions. Readers of manifests use this tree instead of a
 * parser's, because errors in long files need line and column. Hostile or invalid text results in a
 * {@link io.probelet.document.tree.SyntaxProblem}, never in an exception, and memory is limited in
 * proportion to its size.
 */
@NullMarked
package io.probelet.document.tree;

import org.jspecify.annotations.NullMarked;
