# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints each device size at which the placement of a plan changes, and a byte less.

usage: list_budgets.py PLAN.json
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
size = plan["whole"] + plan["spare"]
print(size)
for _, upload_bytes in plan["order"]:
    print(size - 1)
    size -= upload_bytes
    print(size)
