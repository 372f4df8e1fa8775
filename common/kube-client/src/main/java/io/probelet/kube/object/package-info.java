/**
 * Reads objects of any author into trees of limited size. Fields that nobody needs are skipped
 * while the text is parsed and never become a tree.
 */
@NullMarked
package io.probelet.kube.object;

import org.jspecify.annotations.NullMarked;
