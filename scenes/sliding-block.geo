// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of 40 mm x 25 mm for sliding-block-gmsh.yaml.
//
//     gmsh sliding-block.geo -2 -format msh41 -o sliding-block.msh

b = 40;
h = 25;
s = 1;   // size of the elements

Point(1) = {0, 0, 0, s};
Point(2) = {b, 0, 0, s};
Point(3) = {b, h, 0, s};
Point(4) = {0, h, 0, s};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("block") = {1};
