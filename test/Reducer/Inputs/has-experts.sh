#!/bin/sh
# Interesting is a program whose plan has experts.
lane-opt --arena-plan --residence-plan "$1" 2>/dev/null | grep -q 'class = expert' && exit 1
exit 0
