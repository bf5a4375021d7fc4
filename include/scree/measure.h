// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure.h - what is read off a packing, a pile or a wall at one moment: stress, fabric,
// neighbours, solid fraction, forces on bodies, pressure on the ground, slope, joints of blocks.
//
// Forces are impulses of contacts over the length of their step. Stress is Cauchy's: tension is
// positive, as in elastic bodies, so that a packing at rest has negative ones and a positive
// pressure. Only rigid bodies are looked at; those that are not there at the moment are left out.
// Up is the last axis, y in the plane and z in space; in the plane a metre of depth is meant, so
// that areas are lengths.

#ifndef SCREE_MEASURE_H
#define SCREE_MEASURE_H

#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stored moment of a run, or the last one of a simulation. Contacts are borrowed one by one, so
/// that they may lie in rows of a table.
typedef struct scree_moment {
    const scree_model *model;
    double time;      // [s]
    double step;      // length of the step that the impulses belong to [s]
    const double *q;  // positions (coordinates)
    int contacts;
    const scree_contact *contact;  // the first one
    size_t stride;                 // bytes from contact to contact
} scree_moment;

/// A box; in the plane the third numbers are 0.
typedef struct scree_region {
    double low[3], high[3];
} scree_region;

/// The box around all bodies that move by themselves and are there; empty (low above high) if there
/// are none.
SCREE_API scree_region scree_region_around(const scree_moment *moment);

/// Volume of a box [m^3]; in the plane its area [m^2].
SCREE_API double scree_region_volume(const scree_region *region, int space);

/// Is the point x (space numbers) in the box?
SCREE_API bool scree_region_holds(const scree_region *region, int space, const double *x);

/// Contact i of the moment.
SCREE_API const scree_contact *scree_moment_contact(const scree_moment *moment, int i);

/// Is it a contact of two rigid bodies that exchange a force?
SCREE_API bool scree_moment_bears(const scree_moment *moment, const scree_contact *contact);

/// Force of contact i on its side a [N]; returns the normal part.
SCREE_API double scree_moment_force(const scree_moment *moment, int i, double force[3]);

// --- the packing --------------------------------------------------------------------------------

/// Mean stress of cells: the sum over bodies whose centre is in the cell, and over their contacts,
/// of force (x) (point - centre), over the cell's volume (Love, Weber).
typedef struct scree_cell_stress {
    int bodies;
    double volume;     // [m^3], in the plane [m^2]
    double stress[9];  // row after row [Pa], in the plane [N/m]
    double pressure;   // -trace/space
} scree_cell_stress;

/// The region is cut into count[0] x count[1] (x count[2]) equal cells; x runs first.
SCREE_API void scree_measure_stress(const scree_moment *moment, const scree_region *region,
                                    const int count[3], scree_cell_stress *cell);

/// Directions of the contacts in the region that bear a force.
typedef struct scree_fabric {
    int contacts;
    double tensor[9];     // mean of n (x) n; its trace is 1
    double principal[3];  // its eigenvalues, the largest first
    double direction[9];  // their unit vectors, row after row
    double anisotropy;    // largest minus least eigenvalue
    double force_mean;    // of normal forces [N]
    double force_max;
    double quantile[5];  // of them: 10, 25, 50, 75, 90 % are smaller
} scree_fabric;

/// Directions and forces of the contacts within a region.
SCREE_API scree_status scree_measure_fabric(const scree_moment *moment, const scree_region *region,
                                            scree_fabric *fabric, scree_error *err);

enum { SCREE_NEIGHBOURS_MAX = 32 };  // bodies with more are counted with these

/// Neighbours of the bodies that move by themselves: other bodies that they exchange a force with.
typedef struct scree_coordination {
    int bodies;                 // whose centre is in the region
    int floating;               // of them without any neighbour
    int pairs;                  // that exchange a force
    int contacts;               // points at which they do
    double mean, mean_bearing;  // neighbours of a body; of those that have some
    int histogram[SCREE_NEIGHBOURS_MAX + 1];
} scree_coordination;

/// Who touches whom within a region.
SCREE_API scree_status scree_measure_coordination(const scree_moment *moment,
                                                  const scree_region *region,
                                                  scree_coordination *found, scree_error *err);

/// Share of the region that bodies which move by themselves fill, by chords along lines x lines
/// (in the plane lines) parallels of the vertical, each exact. Bodies count whole where they
/// overlap.
SCREE_API scree_status scree_measure_solid_fraction(const scree_moment *moment,
                                                    const scree_region *region, int lines,
                                                    double *fraction, scree_error *err);

/// Force and torque (about the centre of a rigid body; of a group and of an elastic body about the
/// origin) that contacts put on a body, or on all bodies of a group from outside of it.
SCREE_API void scree_measure_force_on(const scree_moment *moment, const char *name, double force[3],
                                      double torque[3]);

/// Is there a body or a group of that name?
SCREE_API bool scree_measure_knows(const scree_model *model, const char *name);

// --- the pile -----------------------------------------------------------------------------------

/// Ring number k about the vertical through axis has radii k width to (k + 1) width; in the plane
/// it is two strips, one on each side. Contacts of bodies that move with those that do not count
/// where their point is.
typedef struct scree_ground_ring {
    double inner, outer;  // [m]
    double area;          // [m^2], in the plane [m]
    double force;         // down, on what does not move [N]
    double pressure;      // force/area [Pa]
    int contacts;
} scree_ground_ring;

typedef struct scree_ground {
    double force;   // down, of all contacts, also beyond the last ring [N]
    double reach;   // how far from the axis the farthest of them is [m]
    double weight;  // of the bodies that are there [N]
} scree_ground;

/// Pressure on the ground over rings about an axis.
SCREE_API void scree_measure_ground(const scree_moment *moment, const double axis[2], double width,
                                    int rings, scree_ground_ring *ring, scree_ground *whole);

/// Mean force across a conical or cylindrical strip about the vertical through axis, generated by
/// the segment from (r, z) = from to (r, z) = to (paper 004, section 10.2). nu is the unit normal
/// of the segment with nu_r > 0, or up where nu_r = 0. A contact counts if the centres of its
/// bodies are on different sides of the strip's cone and its point projects into the segment; the
/// force is that of the side of nu on the other side. In space only.
typedef struct scree_strip {
    double from[2], to[2];  // (r, z) [m]
    double normal[2];       // nu
    double area;            // [m^2]
    double density[2];      // T, by (r, z) [Pa]
    int contacts;
} scree_strip;

/// Forces across a strip of a pile.
SCREE_API void scree_measure_strip(const scree_moment *moment, const double axis[2],
                                   scree_strip *strip);

/// Surface of the pile: the highest point of bodies whose centre is in ring k, and the slope of a
/// line through those between a tenth and nine tenths of the greatest height above the lowest.
typedef struct scree_slope {
    double angle;       // of repose [rad]; NaN if fewer than three rings fit
    double apex, foot;  // highest and lowest of the rings [m]
    int fitted;
} scree_slope;

/// height (rings): NaN where there is no body.
SCREE_API void scree_measure_slope(const scree_moment *moment, const double axis[2], double width,
                                   int rings, double *height, scree_slope *slope);

/// A layer of a deposit ("fossil layer", paper 004, section 10): the bodies that were born within
/// some time, ring by ring, and the force across a cylinder of the height `width` through it.
typedef struct scree_layer_ring {
    int bodies;
    double r, z;   // mean distance from the axis and height of them [m]
    double slope;  // dz/dr by a line through them and those of the two rings beside; NaN: too few
    scree_strip strip;  // cylinder of radius r about height z
} scree_layer_ring;

/// Rings of the width `width` about the axis; those without bodies are empty. In space only.
SCREE_API void scree_measure_layer(const scree_moment *moment, const double axis[2],
                                   const double born[2], double width, int rings,
                                   scree_layer_ring *ring);

// --- masonry ------------------------------------------------------------------------------------

typedef enum scree_joint_state {
    SCREE_JOINT_CLOSED,   // bears on both ends, does not slide
    SCREE_JOINT_SLIDING,  // bears and slides
    SCREE_JOINT_HINGED,   // bears at one end, the other is open
    SCREE_JOINT_OPEN,     // does not bear
} scree_joint_state;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_joint_state_name(scree_joint_state state);

/// Where two bodies in the plane touch or nearly do (within a tenth of the smaller one's size), one
/// for each pair, in the order of a, then b.
typedef struct scree_block_joint {
    int a, b;  // bodies, a < b
    scree_joint_state state;
    const char *side;  // of a hinge: "upper", "lower", "left" or "right" end of the joint; else ""
    double point[2];   // where the resultant acts: the point of the thrust line [m]
    double force[2];   // the resultant on a [N]
    double opening;    // largest gap of its points [m]
} scree_block_joint;

/// *joint is allocated and belongs to the caller. A gap above `open` times the smaller of the two
/// bodies' sizes is open.
SCREE_API scree_status scree_measure_joints(const scree_moment *moment, double open,
                                            scree_block_joint **joint, int *joints,
                                            scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
