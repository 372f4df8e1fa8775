/**
 * Everything that the documentation quotes is tried: commands, configuration, queries, JSON. A
 * block that cannot be tried says why, in a comment above it: {@code <!-- not run: REASON -->}.
 */
package io.probelet.cli.docs;
