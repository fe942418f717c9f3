#include "vectors.h"

// The sums and updates of Levinson's recursion.

CLONES
void nbk_split_sums(const double *restrict x_re, const double *restrict x_im, const double *restrict a_re,
                    const double *restrict a_im, const double *restrict r_re, const double *restrict r_im, size_t count,
                    double *restrict sums) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        s0 += x_re[i] * r_re[i] - x_im[i] * r_im[i];
        s1 += x_re[i] * r_im[i] + x_im[i] * r_re[i];
        s2 += a_re[i] * r_re[i] - a_im[i] * r_im[i];
        s3 += a_re[i] * r_im[i] + a_im[i] * r_re[i];
    }
    sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

CLONES
void nbk_split_add_mirrored(const double *restrict a_re, const double *restrict a_im, double q_re, double q_im,
                            size_t count, double *restrict x_re, double *restrict x_im) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        double re = a_re[count - 1 - i], im = a_im[count - 1 - i];
        x_re[i] += q_re * re + q_im * im;
        x_im[i] += q_im * re - q_re * im;
    }
}
