package io.probelet.agent.manifest.tree;

/**
 * Text that is not what it claims to be.
 *
 * @param at where it was noticed
 * @param message what is wrong, in one line
 */
public record SyntaxProblem(Position at, String message) {}
