/**
 * YAML and JSON text as a tree that knows where everything stands. Readers of manifests walk this
 * tree and not a parser's, because a problem without line and column is no help in a long file.
 * Text that is hostile or broken ends as a {@link io.probelet.document.tree.SyntaxProblem}, never
 * as an exception, and never takes more memory than its size explains.
 */
@NullMarked
package io.probelet.document.tree;

import org.jspecify.annotations.NullMarked;
