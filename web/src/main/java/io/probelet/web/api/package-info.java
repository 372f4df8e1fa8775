/**
 * The JSON a running agent shows of its containers, and the same JSON read back. The program that
 * writes it and the command that prints it share these shapes, so that they cannot drift apart.
 * docs/reference/http-api.md is the user's side of it.
 */
@NullMarked
package io.probelet.web.api;

import org.jspecify.annotations.NullMarked;
