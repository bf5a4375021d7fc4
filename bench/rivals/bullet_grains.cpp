// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bullet_grains.cpp - the rival of bench/grains: Bullet on the same grains in the same box.
//
// in: HEAP ITERATIONS WARM_UP STEPS.   out: seconds of a step and how still it keeps them, in JSON.
//
// Bullet's thresholds are lengths of an everyday world, so that grains of millimetres must be
// given to it in units of their size: lengths are multiplied by 400, and gravity with them.
// Overlaps are pushed out beside the velocities (split impulses), friction has two directions and
// all grains stay awake. The same judge that looks at scree looks at Bullet's impulses, on
// Bullet's own contacts: contacts with a gap may close it within the step.

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "scree/problem.h"

static const double unit = 400, gravity = 9.81, step = 2e-4, density = 1000, friction = 0.4;

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Numbers {  // of the bodies before a step, in Bullet's units
    std::vector<double> centre, velocity, inverse;  // inverse: mass, inertia (7)
};

struct Rest {
    double unrest = 0, imbalance = 0, penetration = 0, residual = 0;
    int contacts = 0;
};

class World {
  public:
    World(const char *path, int iterations) {
        FILE *file = std::fopen(path, "r");
        int grains;
        double width;
        if (!file || std::fscanf(file, "%d %lf", &grains, &width) != 2) std::exit(2);
        prepare(iterations);
        add_walls(unit * width);
        for (int i = 0; i < grains; i++) {
            double n[10];
            for (double &value : n)
                if (std::fscanf(file, "%lf", &value) != 1) std::exit(2);
            add_grain(n);
        }
        std::fclose(file);
    }
    ~World() {
        for (auto &body : bodies) world->removeRigidBody(body.get());
    }
    void advance() { world->stepSimulation(step, 0); }
    Numbers look() const;
    Rest judge(const Numbers &before) const;

  private:
    void prepare(int iterations);
    void add_walls(double width);
    void add_grain(const double *numbers);
    void add(btCollisionShape *shape, double mass, const btVector3 &at);

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;  // walls first
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    size_t walls = 0;
};

void World::prepare(int iterations) {
    world.reset(new btDiscreteDynamicsWorld(&dispatcher, &broad, &solver, &configuration));
    world->setGravity(btVector3(0, 0, -unit * gravity));
    btContactSolverInfo &info = world->getSolverInfo();
    info.m_numIterations = iterations;
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_minimumSolverBatchSize = 1;
}

void World::add(btCollisionShape *shape, double mass, const btVector3 &at) {
    shapes.emplace_back(shape);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
    info.m_friction = std::sqrt(friction);  // Bullet multiplies those of the two sides
    bodies.emplace_back(new btRigidBody(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world->addRigidBody(bodies.back().get());
}

void World::add_walls(double width) {
    const btVector3 normal[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (const btVector3 &n : normal)
        add(new btStaticPlaneShape(n, n.x() + n.y() < 0 ? -width : 0), 0, btVector3(0, 0, 0));
    walls = bodies.size();
}

void World::add_grain(const double *n) {
    double r = unit * n[0], mass = density * 4 / 3 * SIMD_PI * n[0] * n[0] * n[0];
    add(new btSphereShape(r), mass, unit * btVector3(n[1], n[2], n[3]));
    bodies.back()->setLinearVelocity(unit * btVector3(n[4], n[5], n[6]));
    bodies.back()->setAngularVelocity(btVector3(n[7], n[8], n[9]));
}

Numbers World::look() const {
    Numbers n;
    for (size_t i = walls; i < bodies.size(); i++) {
        const btRigidBody &body = *bodies[i];
        const btVector3 v = body.getLinearVelocity(), w = body.getAngularVelocity();
        for (int k = 0; k < 3; k++) n.centre.push_back(body.getCenterOfMassPosition()[k]);
        for (int k = 0; k < 3; k++) n.velocity.push_back(v[k]);
        for (int k = 0; k < 3; k++) n.velocity.push_back(w[k]);
        const double inverse = body.getInvInertiaDiagLocal().x();
        n.inverse.push_back(body.getInvMass());
        for (double value : {inverse, 0.0, 0.0, inverse, 0.0, inverse}) n.inverse.push_back(value);
    }
    return n;
}

struct Contacts {
    std::vector<int> body;
    std::vector<double> frame, arm, w, mu, impulse;
};

struct Axis {  // Bullet's vectors are of single precision in Debian, too coarse for the judge's frames
    double x[3];
    Axis(double a, double b, double c) : x{a, b, c} {}
    explicit Axis(const btVector3 &v) : x{v.x(), v.y(), v.z()} {}
    double dot(const Axis &o) const { return x[0] * o.x[0] + x[1] * o.x[1] + x[2] * o.x[2]; }
    Axis less(double share, const Axis &o) const {
        return Axis(x[0] - share * o.x[0], x[1] - share * o.x[1], x[2] - share * o.x[2]);
    }
    Axis cross(const Axis &o) const {
        return Axis(x[1] * o.x[2] - x[2] * o.x[1], x[2] * o.x[0] - x[0] * o.x[2],
                    x[0] * o.x[1] - x[1] * o.x[0]);
    }
    Axis unit_length() const { return Axis(0, 0, 0).less(-1 / std::sqrt(dot(*this)), *this); }
};

static void push(std::vector<double> &list, const Axis &v) {
    list.insert(list.end(), v.x, v.x + 3);
}

static void add_point(const btManifoldPoint &point, const int *side, const Numbers &before,
                      Contacts &all) {
    const Axis n = Axis(point.m_normalWorldOnB).unit_length();
    const Axis one(point.m_lateralFrictionDir1), two(point.m_lateralFrictionDir2);
    const Axis t = one.less(one.dot(n), n).unit_length(), second = n.cross(t);
    const Axis force = Axis(0, 0, 0)
                           .less(-double(point.m_appliedImpulseLateral1), one)
                           .less(-double(point.m_appliedImpulseLateral2), two);
    const Axis at[2] = {Axis(point.getPositionWorldOnA()), Axis(point.getPositionWorldOnB())};
    for (int s = 0; s < 2; s++) {
        all.body.push_back(side[s]);
        const double *centre = side[s] < 0 ? at[s].x : &before.centre[3 * size_t(side[s])];
        push(all.arm, at[s].less(1, Axis(centre[0], centre[1], centre[2])));
    }
    push(all.frame, n);
    push(all.frame, t);
    push(all.frame, second);
    push(all.w, Axis(std::fmax(double(point.getDistance()), 0) / step, 0, 0));
    push(all.impulse, Axis(point.m_appliedImpulse, force.dot(t), force.dot(second)));
    all.mu.push_back(friction);
}

Rest World::judge(const Numbers &before) const {
    Rest rest;
    Contacts all;
    for (int m = 0; m < dispatcher.getNumManifolds(); m++) {
        const btPersistentManifold *manifold =
            const_cast<btCollisionDispatcher &>(dispatcher).getManifoldByIndexInternal(m);
        const btCollisionObject *object[2] = {manifold->getBody0(), manifold->getBody1()};
        int side[2];
        double least = HUGE_VAL;
        for (int s = 0; s < 2; s++) {
            int index = object[s]->getWorldArrayIndex() - int(walls);
            side[s] = index < 0 ? int(SCREE_FIXED) : index;
            if (index < 0) continue;
            auto ball = static_cast<const btSphereShape *>(object[s]->getCollisionShape());
            least = std::fmin(least, ball->getRadius());
        }
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            rest.penetration = std::fmax(rest.penetration, -point.getDistance() / least);
            add_point(point, side, before, all);
        }
    }
    Numbers after = look();
    std::vector<double> free = before.velocity;
    size_t grains = before.inverse.size() / 7;
    double speed = 0, change = 0, scale = unit * gravity * step;
    for (size_t i = 0; i < grains; i++) {
        free[6 * i + 2] -= scale;
        for (size_t k = 0; k < 3; k++) {
            double v = after.velocity[6 * i + k], d = v - before.velocity[6 * i + k];
            speed += v * v;
            change += d * d;
        }
    }
    rest.unrest = std::sqrt(speed / double(grains)) / scale;
    rest.imbalance = std::sqrt(change / double(grains)) / scale;
    rest.contacts = int(all.mu.size());
    scree_bodies by = {};
    by.rigid = int(grains);
    by.width = 6;
    by.inverse = before.inverse.data();
    by.v_free = free.data();
    by.body = all.body.data();
    by.frame = all.frame.data();
    by.arm = all.arm.data();
    by.w = all.w.data();
    std::vector<double> b(all.w.size()), s(all.w.size());
    scree_problem problem = {};
    problem.contacts = rest.contacts;
    problem.dimension = 3;
    problem.bodies = &by;
    problem.b = b.data();
    problem.mu = all.mu.data();
    scree_problem_offset(&problem, b.data());
    scree_residual residual = scree_problem_residual(&problem, all.impulse.data(), s.data());
    rest.residual = residual.scaled;
    return rest;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: bullet_grains HEAP ITERATIONS WARM_UP STEPS\n");
        return 1;
    }
    World world(argv[1], std::atoi(argv[2]));
    int warm_up = std::atoi(argv[3]), steps = std::atoi(argv[4]);
    double seconds = 0, imbalance = 0, residual = 0;
    Rest rest;
    for (int k = 0; k < warm_up; k++) world.advance();
    for (int k = 0; k < steps; k++) {
        Numbers before = world.look();
        double start = now();
        world.advance();
        seconds += now() - start;
        rest = world.judge(before);
        imbalance += rest.imbalance;
        residual += rest.residual;
    }
    std::printf("{\"step\": %.6g, \"contacts\": %d, \"unrest\": %.6g, \"imbalance\": %.6g, "
                "\"penetration\": %.6g, \"residual\": %.6g}\n",
                seconds / steps, rest.contacts, rest.unrest, imbalance / steps, rest.penetration,
                residual / steps);
    return 0;
}
