/**
 * Expressions in the Common Expression Language (CEL), for the places where one condition is not
 * enough. A text is compiled once against declared variables and evaluated over values, both within
 * limits: pod authors write expressions and servers write what they read. No other package knows
 * CEL's library, so a program without expressions loads none of it (ADR 51).
 */
@NullMarked
package io.probelet.document.expression;

import org.jspecify.annotations.NullMarked;
