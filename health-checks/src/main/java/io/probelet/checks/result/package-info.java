/**
 * What a check says, and how the results of many become one condition. All of it is pure: results
 * in the order of registration and the condition of before go in, the condition of now comes out. A
 * check that could not be carried out is a result like any other, never an exception here.
 */
@NullMarked
package io.probelet.checks.result;

import org.jspecify.annotations.NullMarked;
