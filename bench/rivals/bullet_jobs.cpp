// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bullet_jobs.cpp - the rival of bench/jobs: a scene of scree stepped by Bullet.
// in: ITERATIONS SCENE SECONDS [PATH=VALUE]...   out: one JSON object.
//
// The scene is read by scree, so that bodies, masses and motions are the same; time steps too.
// Lengths are in units of the mean body, since Debian's Bullet calculates in single precision.
// Planar scenes are a slice of space whose bodies cannot leave the plane.

#include <btBulletDynamicsCommon.h>
#include <scree/scree.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

static const double THICK = 2;      // half the thickness of a planar body, in units
static const double MARGIN = 1e-4;  // of hulls, which grow by it

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Member {  // a body of Bullet and the body of the scene it belongs to
    int body;
    btTransform place;  // of it in the frame of the scene's body
    double size, margin;
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btStridingMeshInterface> mesh;
    std::unique_ptr<btRigidBody> rigid;
    bool there = false;
};

class World {
  public:
    World(const scree_model &model, double step, int iterations);
    ~World();
    void advance(double t);
    double energy() const;
    double penetration() const;
    int bodies() const { return free_bodies; }

  private:
    void add(const scree_shape &shape);
    void move(double t);
    btCollisionShape *make(const scree_shape &shape, Member &member, const btTransform &place);
    btCollisionShape *hull(const scree_shape &shape, Member &member, const btTransform &place);
    btCollisionShape *surface(const scree_shape &shape, Member &member);
    btVector3 corner(const scree_shape &shape, int i, double z) const;
    btTransform within(const scree_shape &shape) const;
    btTransform start(const scree_body &body, double t) const;
    btMatrix3x3 principal(const scree_body &body, btVector3 &moments, bool turn) const;
    bool is_free(const scree_body &body) const { return !body.fixed && !body.driven; }

    const scree_model &model;
    double unit, step, friction = 0, restitution = 0, rolling = 0;
    int free_bodies = 0;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    std::vector<Member> members;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
};

static double radius_of(const scree_shape &shape, int space) {
    double square = 0;
    switch (shape.kind) {
        case SCREE_DISC:
        case SCREE_SPHERE: return shape.radius;
        case SCREE_BOX:
            for (int k = 0; k < space; k++) square += shape.size[k] * shape.size[k];
            return std::sqrt(square) / 2;
        default:
            for (int i = 0; i < shape.vertices; i++) {
                double own = 0;
                for (int k = 0; k < space; k++) own += std::pow(shape.vertex[space * i + k], 2);
                square = std::fmax(square, own);
            }
            return std::sqrt(square) + shape.radius;
    }
}

static btQuaternion quaternion(const double *q) {
    return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0 ? btQuaternion::getIdentity()
                                                           : btQuaternion(q[1], q[2], q[3], q[0]);
}

World::World(const scree_model &m, double h, int iterations) : model(m), step(h) {
    double sum = 0;
    int shapes = 0, one = -1, two = -1, held = -1;
    for (int i = 0; i < model.shapes; i++) {
        const scree_shape &shape = model.shape[i];
        if (!is_free(model.body[shape.body])) continue;
        sum += radius_of(shape, model.space);
        shapes++;
    }
    unit = shapes / sum;
    for (int i = 0; i < model.bodies; i++) {
        bool moves = is_free(model.body[i]);
        free_bodies += moves;
        if (!moves) held = i;
        if (moves && one >= 0) two = i;
        if (moves && one < 0) one = i;
    }
    // Bullet multiplies the coefficients of the two sides: free bodies among each other, and on others
    const scree_law *among = scree_model_law(&model, one, two >= 0 ? two : held);
    friction = std::sqrt(among->friction);
    restitution = std::sqrt(among->restitution);
    rolling = among->rolling;
    world.reset(new btDiscreteDynamicsWorld(&dispatcher, &broad, &solver, &configuration));
    world->setGravity(unit * btVector3(model.gravity[0], model.gravity[1],
                                       model.space == 3 ? model.gravity[2] : 0));
    btContactSolverInfo &info = world->getSolverInfo();
    info.m_numIterations = iterations;
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_minimumSolverBatchSize = 1;
    members.reserve(size_t(model.shapes));
    for (int i = 0; i < model.shapes; i++) add(model.shape[i]);
    move(0);
}

World::~World() {
    for (Member &member : members)
        if (member.there) world->removeRigidBody(member.rigid.get());
}

btTransform World::within(const scree_shape &shape) const {
    btVector3 at = unit * btVector3(shape.at[0], shape.at[1], model.space == 3 ? shape.at[2] : 0);
    return btTransform(model.space == 3 ? quaternion(shape.turn)
                                        : btQuaternion(btVector3(0, 0, 1), shape.angle), at);
}

btTransform World::start(const scree_body &body, double t) const {
    double x[3] = {body.position[0], body.position[1], model.space == 3 ? body.position[2] : 0};
    btQuaternion turn = model.space == 3 ? quaternion(body.orientation)
                                         : btQuaternion(btVector3(0, 0, 1), body.angle);
    if (body.driven) {
        double rate;
        for (int k = 0; k < model.space; k++) x[k] += scree_function_at(&body.path.along[k], t, &rate);
        const double *a = body.path.axis;
        btVector3 axis = model.space == 3 ? btVector3(a[0], a[1], a[2]) : btVector3(0, 0, 1);
        double angle = scree_function_at(&body.path.angle, t, &rate);
        if (angle != 0) turn = btQuaternion(axis.normalized(), angle) * turn;
    }
    return btTransform(turn, unit * btVector3(x[0], x[1], x[2]));
}

// axes of inertia in the frame of the body, if it is turned into them
btMatrix3x3 World::principal(const scree_body &body, btVector3 &moments, bool turn) const {
    if (model.space == 2) {
        double j = unit * unit * body.inertia;
        moments = btVector3(j, j, j);
        return btMatrix3x3::getIdentity();
    }
    const double *t = body.tensor;
    double f = unit * unit;
    btMatrix3x3 matrix(f * t[0], f * t[1], f * t[2], f * t[1], f * t[3], f * t[4], f * t[2], f * t[4],
                       f * t[5]), axes = btMatrix3x3::getIdentity();
    if (turn) matrix.diagonalize(axes, 1e-6f, 50);
    moments = btVector3(matrix[0][0], matrix[1][1], matrix[2][2]);
    return axes;
}

btVector3 World::corner(const scree_shape &shape, int i, double z) const {
    const double *v = shape.vertex + model.space * i;
    return model.space == 3 ? unit * btVector3(v[0], v[1], v[2])
                            : btVector3(unit * v[0], unit * v[1], z);
}

btCollisionShape *World::hull(const scree_shape &shape, Member &member, const btTransform &place) {
    auto made = new btConvexHullShape();
    for (int i = 0; i < shape.vertices; i++)
        for (double z : {-THICK, THICK}) {
            made->addPoint(place * corner(shape, i, z), false);
            if (model.space == 3) break;
        }
    made->recalcLocalAabb();
    made->setMargin(MARGIN);
    member.margin = MARGIN;
    return made;
}

btCollisionShape *World::surface(const scree_shape &shape, Member &member) {
    auto mesh = new btTriangleMesh();
    member.mesh.reset(mesh);
    for (int i = 0; model.space == 3 && i < shape.triangles; i++) {
        const int *t = shape.triangle + 3 * i;
        mesh->addTriangle(corner(shape, t[0], 0), corner(shape, t[1], 0), corner(shape, t[2], 0));
    }
    for (int i = 0; model.space == 2 && i + 1 < shape.vertices; i++) {
        btVector3 a = corner(shape, i, -9), b = corner(shape, i + 1, -9), c = corner(shape, i, 9),
                  d = corner(shape, i + 1, 9);
        mesh->addTriangle(a, b, c);
        mesh->addTriangle(b, d, c);
    }
    auto made = new btBvhTriangleMeshShape(mesh, true);
    made->setMargin(0);
    return made;
}

// place: of the shape in the frame of Bullet's body, which hulls are baked into
btCollisionShape *World::make(const scree_shape &shape, Member &member, const btTransform &place) {
    member.margin = 0;
    switch (shape.kind) {
        case SCREE_DISC:
        case SCREE_SPHERE: return new btSphereShape(unit * shape.radius);
        case SCREE_HALF_PLANE:
        case SCREE_PLANE: {
            btVector3 n(shape.normal[0], shape.normal[1], model.space == 3 ? shape.normal[2] : 0);
            return new btStaticPlaneShape(n, 0);
        }
        case SCREE_BOX:
            return new btBoxShape(unit / 2 * btVector3(shape.size[0], shape.size[1],
                                                       model.space == 3 ? shape.size[2]
                                                                        : 2 * THICK / unit));
        case SCREE_POLYGON:
        case SCREE_POLYHEDRON: return hull(shape, member, place);
        case SCREE_CHAIN:
        case SCREE_MESH: return surface(shape, member);
        default: std::fprintf(stderr, "bullet_jobs: no such shape\n"); std::exit(2);
    }
}

void World::add(const scree_shape &shape) {
    const scree_body &body = model.body[shape.body];
    bool moves = is_free(body), hull = shape.kind == SCREE_POLYGON || shape.kind == SCREE_POLYHEDRON;
    members.emplace_back();
    Member &member = members.back();
    member.body = shape.body;
    member.size = moves ? unit * radius_of(shape, model.space) : HUGE_VAL;
    btVector3 moments(0, 0, 0);
    // spheres and boxes have their own axes
    btMatrix3x3 axes = moves ? principal(body, moments, hull) : btMatrix3x3::getIdentity();
    btTransform turned(axes), own = within(shape);
    // the frame of Bullet's body: axes of inertia for hulls; where the shape sits for others
    btTransform place = hull ? turned.inverse() * own : btTransform::getIdentity();
    member.place = hull ? turned : own;
    member.shape.reset(make(shape, member, place));
    btRigidBody::btRigidBodyConstructionInfo info(moves ? body.mass : 0, nullptr, member.shape.get(),
                                                  moments.absolute());
    info.m_startWorldTransform = start(body, 0) * member.place;
    int other = 0;
    while (other + 1 < model.bodies && !is_free(model.body[other])) other++;
    double mu = scree_model_law(&model, shape.body, other)->friction;
    info.m_friction = moves ? friction : friction > 0 ? mu / friction : 0;
    info.m_restitution = restitution;
    member.rigid.reset(new btRigidBody(info));
    btRigidBody &rigid = *member.rigid;
    rigid.setUserIndex(int(members.size()) - 1);
    rigid.setActivationState(DISABLE_DEACTIVATION);
    if (rolling > 0 && friction > 0) rigid.setRollingFriction(unit * rolling / (2 * friction));
    if (!moves) {
        if (body.driven) rigid.setCollisionFlags(rigid.getCollisionFlags() |
                                                 btCollisionObject::CF_KINEMATIC_OBJECT);
        return;
    }
    const double *v = body.velocity, *w = body.angular;
    rigid.setLinearVelocity(unit * btVector3(v[0], v[1], model.space == 3 ? v[2] : 0));
    rigid.setAngularVelocity(model.space == 3 ? btVector3(w[0], w[1], w[2])
                                              : btVector3(0, 0, body.spin));
    if (model.space == 3) return;
    rigid.setLinearFactor(btVector3(1, 1, 0));
    rigid.setAngularFactor(btVector3(0, 0, 1));
}

// who is there at time t, and where driven bodies are at the end of the step
void World::move(double t) {
    for (Member &member : members) {
        const scree_body &body = model.body[member.body];
        bool there = t >= body.birth_time - 1e-12 &&
                     (body.removal_time <= 0 || t < body.removal_time - 1e-12);
        if (there && !member.there) world->addRigidBody(member.rigid.get());
        if (!there && member.there) world->removeRigidBody(member.rigid.get());
        member.there = there;
        if (!there || !body.driven) continue;
        btRigidBody &rigid = *member.rigid;
        btTransform from = start(body, t) * member.place, to = start(body, t + step) * member.place;
        btVector3 linear, angular;
        btTransformUtil::calculateVelocity(from, to, step, linear, angular);
        rigid.setWorldTransform(from);
        rigid.setInterpolationWorldTransform(from);
        rigid.setLinearVelocity(linear);
        rigid.setAngularVelocity(angular);
    }
}

void World::advance(double t) {
    move(t);
    world->stepSimulation(step, 0);
}

double World::energy() const {
    double sum = 0;
    for (const Member &member : members) {
        const scree_body &body = model.body[member.body];
        if (!is_free(body) || !member.there) continue;
        const btRigidBody &rigid = *member.rigid;
        const btVector3 v = rigid.getLinearVelocity(), w = rigid.getAngularVelocity(),
                        x = rigid.getCenterOfMassPosition(),
                        l = rigid.getInvInertiaTensorWorld().inverse() * w;
        double spin = model.space == 3 ? w.dot(l) : unit * unit * body.inertia * w.z() * w.z();
        sum += (0.5 * body.mass * v.length2() + 0.5 * spin) / (unit * unit);
        for (int k = 0; k < model.space; k++) sum -= body.mass * model.gravity[k] * x[k] / unit;
    }
    return sum;
}

double World::penetration() const {
    double most = 0;
    auto &pairs = const_cast<btCollisionDispatcher &>(dispatcher);
    for (int m = 0; m < pairs.getNumManifolds(); m++) {
        const btPersistentManifold *manifold = pairs.getManifoldByIndexInternal(m);
        double size = HUGE_VAL, margin = 0;
        for (const btCollisionObject *object : {manifold->getBody0(), manifold->getBody1()})
            size = std::fmin(size, members[size_t(object->getUserIndex())].size);
        for (const btCollisionObject *object : {manifold->getBody0(), manifold->getBody1()})
            margin += members[size_t(object->getUserIndex())].margin;
        for (int k = 0; k < manifold->getNumContacts(); k++)
            most = std::fmax(most, (-manifold->getContactPoint(k).getDistance() - margin) / size);
    }
    return most;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: bullet_jobs ITERATIONS SCENE SECONDS [PATH=VALUE]...\n");
        return 1;
    }
    scree_findings findings = {};
    scree_scene *scene = scree_scene_load(argv[2], argv + 4, argc - 4, &findings);
    scree_model *model = scene && !findings.count ? scree_model_from_scene(scene, &findings) : nullptr;
    if (!model) {
        std::fprintf(stderr, "%s\n", findings.count ? findings.item[0].text : "no scene");
        return 2;
    }
    const scree_run_options *options = scree_scene_options(scene);
    double h = options->scheme.step, limit = std::atof(argv[3]);
    long steps = long(std::ceil(options->duration / h - 1e-9)), k = 0;
    bool passive = true;
    for (int i = 0; i < model->bodies; i++)
        passive = passive && !model->body[i].driven && model->body[i].birth_time == 0;
    {
        World world(*model, h, std::atoi(argv[1]));
        double begin = world.energy(), energy = begin, created = 0, deepest = 0, seconds = 0;
        for (; k < steps && seconds < limit; k++) {
            double from = now();
            world.advance(double(k) * h);
            seconds += now() - from;
            double next = world.energy();
            created += std::fmax(0, next - energy);
            energy = next;
            deepest = std::fmax(deepest, world.penetration());
        }
        std::printf("{\"steps\": %ld, \"of\": %ld, \"seconds\": %.6g, \"penetration\": %.4g, "
                    "\"energy_start\": %.8g, \"energy_end\": %.8g, \"created\": ",
                    k, steps, seconds, deepest, begin, energy);
        std::printf(passive ? "%.4g}\n" : "null}\n", created);
    }
    scree_model_free(model);
    scree_scene_free(scene);
    scree_findings_free(&findings);
    return 0;
}
