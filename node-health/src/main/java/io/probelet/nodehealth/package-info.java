/**
 * What makes a node healthy or not, and what is done about it. The decisions are pure functions of
 * what is observed and of the moment; the packages below hold them one by one. Nothing here knows
 * the program that runs it.
 */
@NullMarked
package io.probelet.nodehealth;

import org.jspecify.annotations.NullMarked;
