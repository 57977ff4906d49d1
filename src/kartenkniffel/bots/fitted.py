"""The numbers of the outlook.

They were fitted to exact values of the game for one player at 12 points a turn.
``tools/tune_bots.py`` finds such numbers by play alone and writes this module anew.
"""

from kartenkniffel.bots.outlook import Outlook

FITTED = Outlook(
    base=-6.07,
    square=0.977,
    cube=-0.039,
    field=(-15.35, -14.81, -13.85, -12.46, -9.69, -6.96, -4.05, -20.77, -7.57, 0.41, -2.86, -12.59),
    crowd=(0.09, 0.08, 0.07, 0.05, -0.1, -0.01, -0.26, -0.01, 0.06, 0.72, 0.52, -0.23),
    usual=(1.76, 1.97, 2.15, 2.2, 2.36, 1.87),
    spread=0.67,
    bonus_price=(0.0, 3.52, 10.91, 23.12, 33.4, 34.75),
    malus_price=(0.0, 3.42, 12.49, 19.25, 19.39, 19.51),
    softness=5.02,
    ease=(-1.75, 0.01, 0.46, 0.5, 0.41, 0.21, -0.87, -0.38, -0.15, 0.99, 0.32, 0.24),
    upper_start=(5.22, 12.37, 21.96, 29.78, 27.43),
    upper_slope=(-0.09, 1.35, 3.39, 6.51, 7.78),
    three_start=(0.72, 6.27, 17.53),
    four_start=(0.71, 6.96, 18.29, 32.5),
    full_start=(0.34, 1.18, 5.02, 13.67, 26.59),
    small_start=(-0.01, 1.09, 6.43, 16.64),
    large_start=(0.23, 1.88, 5.73, 12.13, 32.58),
    kniffel_start=(0.95, 5.19, 16.25, 30.53, 57.59),
    burden=(-0.77, -1.76, -3.62, -6.13, -8.95, -7.75, -7.46),
)
