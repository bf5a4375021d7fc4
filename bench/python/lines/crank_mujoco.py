# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import mujoco

model = mujoco.MjModel.from_xml_string("""
<mujoco>
  <option timestep="0.0001" gravity="0 0 0"/>
  <worldbody>
    <body name="crank" pos="0 0 0">
      <joint name="shaft" axis="0 0 1"/>
      <inertial pos="0.05 0 0" mass="0.5" diaginertia="1e-3 1e-3 1e-3"/>
      <body name="rod" pos="0.1 0 0">
        <joint axis="0 0 1"/>
        <inertial pos="0.1 0 0" mass="0.4" diaginertia="2e-3 2e-3 2e-3"/>
        <site name="end" pos="0.2 0 0"/>
      </body>
    </body>
    <body name="piston" pos="0.3 0 0">
      <joint axis="1 0 0" type="slide"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1e-3 1e-3 1e-3"/>
      <site name="wrist"/>
    </body>
  </worldbody>
  <equality><connect site1="end" site2="wrist"/></equality>
  <actuator><velocity joint="shaft" kv="1e3" ctrlrange="0 10"/></actuator>
</mujoco>""")
data = mujoco.MjData(model)
data.ctrl[0] = 10
for _ in range(3142):
    mujoco.mj_step(model, data)
print("piston %.3f" % data.body("piston").xpos[0])
