"""Wrong files with directives, made of the right ones of tests/gen/directives: test_directives.py.

MUTANTS: (file, [(text, what stands in its place)], where the refusal points to, its reason).
"""

COPY = "copy(Unew, toDevice, (n + 2), (m + 2), (k + 2))"
NEST = (
    "for (z = 1; z <= k; z++)\n        for (y = 1; y <= m; y++)\n          for (x = 1; x <= n; x++)"
)
CLEAR = (
    "for (int k = 1; k < Nz+1; k++) for (int j = 1; j < Ny+1; j++) for (int i = 1; i < Nx+1; i++) "
)
CLEAR += "u_old[i + j*(Nx+2) + k*(Nx+2)*(Ny+2)] = 0 * u_new[i + j*(Nx+2) + k*(Nx+2)*(Ny+2)];"
PLATE = "#pragma mint for nest(2)\nfor (j = 1; j <= NY; j++) for (i = 1; i <= NX; i++) "
MUTANTS = [
    # planes and offsets
    ("heat7", [("Unew[z][y][x] =", "Unew[z + 1][y][x] =")], "Unew[z + 1]", "1 element further"),
    (
        "heat7",
        [("U[z - 1]", "U[z - 2]")],
        "U[z - 2]",
        "element -1 along z of 'U', which has 0 to k",
    ),
    (
        "heat7",
        [(NEST, NEST.replace("= k", "= k + 1"))],
        "Unew[z][y][x] =",
        "loops of line 33 visit k + 1 there",
    ),
    ("heat7", [(NEST, NEST.replace("z = 1", "z = 2"))], "Unew[z][y][x] =", "as many left out"),
    ("heat7", [("U[z][y][x - 1]", "U[z][x][y]")], "U[z][x][y]", "nothing shows that it is one"),
    ("heat5", [("u[j][i] = v[j][i]", "u[i][j] = v[i][j]")], "u[i][j] = v", "element 13 along y"),
    ("poisson19", [("b[k][j][i] + c1 * SUM(v)", "b[j][k][i]")], "b[j][k][i]", "transposed"),
    (
        "heart",
        [("E_prev[k][j][2]", "E_prev[k][j][3]")],
        "E_prev[k][j][3]",
        "no image of the ghosts",
    ),
    ("heart", [("nx - 1]", "nx - 2]")], "E_prev[k][j][nx - 2]", "no image of the ghosts"),
    ("heart", [("E_prev[k][j][2]", "E[k][j][2]")], "E[k][j][2]", "it is another array's"),
    ("heart", [("E_prev[k][j][0] =", "E_prev[k][j][1] =")], "E_prev[k][j][1]", "among the cells"),
    (
        "heart",
        [("E_prev[k][j][2]", "0.5 * E_prev[k][j][2]")],
        "E_prev[k][j][2]",
        "0.5 times a cell",
    ),
    ("heat5", [("u[0][i] = 2.0 - u[1][i]", "u[0][i] = 1.0")], "u[0][i] = 1", "stores a number in"),
    ("heat5", [("i = 0; i < NX + 2", "i = 2; i < NX + 2")], "for (i = 2", "not go along all cells"),
    # extents
    (
        "heat7",
        [(COPY, COPY.replace("n +", "k +"))],
        "Unew[z][y][x] =",
        "extents are written fastest",
    ),
    ("heat7", [(COPY, COPY.replace("k + 2", "k + 1"))], "Unew[z][y][x] =", "has k + 1 elements"),
    (
        "heat7",
        [(COPY, COPY.replace(", (k + 2)", ""))],
        "#pragma mint copy(Unew",
        "has 3 subscripts",
    ),
    (
        "heat7",
        [("fromDevice, (n + 2)", "fromDevice, n")],
        "#pragma mint copy(U, from",
        "in line 26",
    ),
    ("heat7", [(COPY, "copy(Unew, toDevice)")], "#pragma mint copy(Unew", "must state its extents"),
    (
        "heat7",
        [("y <= m; y++)\n          for", "y < m; y++)\n          for")],
        "Unew[z][y][x] =",
        "m - 1",
    ),
    (
        "poisson7",
        [("copy(u_new, toDevice, nx + 2", "copy(u_new, toDevice, nx + 3")],
        "u_new[at]",
        "'z' is multiplied by nx * ny + 2 * nx + 2 * ny + 4, which is none of the strides",
    ),
    ("poisson7", [("(nx + 2) * ((y)", "(ny + 2) * ((y)")], "u[IDX", "none of the strides"),
    ("heat5", [("j < NY + 1", "j < NY")], "for (j = 1; j < NY;", "visits 8 elements along y, and"),
    # aliases
    ("heat7", [("Unew = tmp", "Unew = U")], "Unew = U;", "'U' and 'Unew' are the same array"),
    (
        "heat7",
        [("***Unew = grid_new(n + 2, m + 2, k + 2)", "***Unew = U")],
        "U;\n  int x",
        "may be one and the",
    ),
    ("heat7", [("        U = Unew;\n", "        U = Unew + 1;\n")], "U = Unew + 1", "no swap of"),
    ("poisson7", [("u = u_new", "b = u_new")], "u_new = old", "'u' and 'u_new' are the same array"),
    # missing copies
    ("heat7", [("#pragma mint " + COPY, "")], "Unew[z][y][x] = c0", "not copied"),
    (
        "heat7",
        [("U, fromDevice", "U, toDevice")],
        "#pragma mint copy(U, toDevice, (n + 2), (m + 2), " "(k + 2))\n\n",
        "after the parallel region",
    ),
    ("poisson7", [("#pragma mint copy(u, from", "//")], "jacobi(", "no array is copied back"),
    (
        "poisson19",
        [("copy(b, toDevice)", "copy(b, toDevice, N, N)")],
        "#pragma mint copy(b",
        "3 sub",
    ),
    # dependences
    ("heat7", [("Unew[z][y][x] =", "U[z][y][x] =")], "U[z][y][x - 1]", "iterations depend on each"),
    ("heat5", [("v[j][i] = u", "u[j][i] = u")], "u[j][i - 1]", "that iteration i - 1 stores"),
    ("poisson7", [("u_new[at] = c0", "u[at] = c0")], "u[at - 1]", "iteration x - 1 stores"),
    (
        "heat5",
        [
            ("const double r = 0.2;", "const double r = 0.2; double around = 0;"),
            ("double around = u[j][i + 1]", "around = around + u[j][i + 1]"),
        ],
        "around + u",
        "'around' is read here before this iteration sets it",
    ),
    ("heart", [("E[k][j][i] -=", "R[k][j][i - 1] -=")], "R[k][j][i - 1]", "element nearer"),
    ("poisson7", [("u_new[at] = c0", "u_new[row] = c0")], "u_new[row]", "does not depend on 'x'"),
    (
        "heat5",
        [
            (
                "#pragma mint for\n      for (j = 1; j <= NY; j++) { /*",
                PLATE + "u[j][i] = v[j][i];\n"
                "#pragma mint for\n      for (j = 1; j <= NY; j++) if (j) { /*",
            )
        ],
        "if (j)",
        "no assignment to ghosts",
    ),
    # ghosts
    (
        "heat5",
        [
            (
                "    for (int t = 0; t < T; t++) {\n#pragma mint for\n",
                "    for (int t = 0; t < T; t++) {\n"
                + PLATE
                + "v[j][i] = u[j + 1][i];\n#pragma mint for\n",
            )
        ],
        "u[j + 1][i];",
        "in the first step",
    ),
    (
        "heat5",
        [
            (
                "#pragma mint barrier",
                PLATE + "u[j][i] = v[j][i];\n" + PLATE + "v[j][i] = u[j - 1][i] ;",
            )
        ],
        "u[j - 1][i] ;",
        "have changed",
    ),
    (
        "heat5",
        [
            ("u[j + 1][i] + u[j - 1][i]", "u[j + 1][i] + u[j - 1][i - 1]"),
            ("i = 0; i < NX + 2", "i = 1; i <= NX"),
        ],
        "for (j = 1; j <= NY; j++)\n        for",
        "must go on over those beyond x_lo",
    ),
    # loops
    ("heat7", [(NEST, NEST.replace("z++", "z += 2"))], "z += 2", "go up by 1"),
    ("heat7", [(NEST, NEST.replace("x <= n", "x <= y"))], "y; x++", "'y' of another one"),
    ("heat7", [("nest(all)", "nest(4)")], "4) tile", "4 loops are parallel, but there are 3"),
    (
        "heat7",
        [("chunksize(1, 1, 64)", "chunksize(1, 1, 48)")],
        "chunksize(1, 1, 48)",
        "no multiple",
    ),
    ("heat7", [("nest(all)", "nests(all)")], "nests", "found 'nests' where nest, tile"),
    (
        "heat7",
        [("#pragma mint for nest(all) tile(16, 16, 64) chunksize(1, 1, 64)\n", "")],
        "for (z = 1; z <= k; z++)\n        for",
        "without a directive",
    ),
    ("heat7", [("#pragma mint parallel", "")], "#pragma mint for", "stands in no parallel region"),
    (
        "heat7",
        [("mint parallel", "mint parallell")],
        "parallell",
        "where one of parallel, for, single",
    ),
    ("heat7", [("#pragma mint single", "abs(t);")], "abs(t)", "on the host while"),
    ("heat7", [("(t++ < T)", "(t++ < T--)")], "t++ < T--", "but line 31 changes 'T'"),
    ("heat7", [("(t++ < T)", "(t < T)")], "t < T", "in which nothing changes it"),
    ("heat7", [("(t++ < T)", "(x < T)")], "x < T", "in which 2 statements change it"),
    ("heat7", [("(t++ < T)", "(t-- > 0)")], "t-- > 0", "no condition of a time loop"),
    (
        "heat7",
        [("U[z][y][x - 1] +", "exp(U[z][y][x - 1]) +")],
        "exp(",
        "calls a function other than",
    ),
    (
        "heat7",
        [("U[z][y][x - 1] +", "(x > 1 ? U[z][y][x - 1] : 0) +")],
        "x > 1",
        "not the same for all cells",
    ),
    (
        "heat7",
        [("            Unew[z][y][x] = c0", "            if (x > 1) Unew[z][y][x] = c0")],
        "x > 1",
        "not the same for all cells",
    ),
    ("heat7", [("c0 * U[z][y][x]\n", "n * U[z][y][x]\n")], "n * U", "an integer that is not known"),
    ("heat7", [("Unew = tmp;\n", "Unew = tmp;\n c0 = c0 / 2;\n")], "c0 * U", "line 45 changes it"),
    (
        "heat5",
        [
            ("static double u", "static float u"),
            ("grid_fill(u[0]", "grid_fill(v[0]"),
            ("grid_save(argv[1], u[0]", "grid_save(argv[1], v[0]"),
        ],
        "around =",
        "'around' is a 'double'; in loops over cells of floats there are int and float",
    ),
    (
        "heat5",
        [("void steps(int T)\n{", "void steps(int T)\n{\n int q = ;")],
        ";\n  const double",
        "expected",
    ),
    (
        "heat5",
        [("#pragma mint", "#pragma omp")],
        "",
        "nothing to translate",
    ),
    (
        "smooth9",
        [("i = 0; i <= NX + 1", "i = 1; i <= NX")],
        "for (int j = 1; j <= NY; j++)\n        for",
        "those that fill ghosts beyond y_lo must go on over those beyond x_lo",
    ),
    (
        "smooth9",
        [("        u[j][0] = u[j][1];\n", "")],
        "for (int j = 1; j <= NY; j++)\n        for",
        "of which loops fill one and the other one is data",
    ),
    (
        "poisson7",
        [("int at = row + x;", "int at = row + x; x = x + 1;")],
        "x = x + 1",
        "variable of a loop",
    ),
    (
        "poisson7",
        [("            int at = row + x;", "            int at; at = row + x; y = 2; ")],
        "y = 2",
        "variable of a loop",
    ),
    ("heat5", [("u[j][0] = u[j][1];", "u[j][0] = u[j][1]; j++;")], "j++;", "variable of a loop"),
    # Panda's
    ("panda7_listing", [("(u_old, u_new) s", "(u_old) s")], "u_new[idx] =", "but not distributed"),
    (
        "panda7_listing",
        [("size(Nx+2,Ny", "size(Nx+1,Ny")],
        "u_new[idx] =",
        "does not fit the extents",
    ),
    ("panda7_listing", [("(u_old, u_new);", "(u_old, u_old);")], "swap(u_old", "different arrays"),
    (
        "panda7_listing",
        [("u_new[idx] =", "u_old[idx] =")],
        "u_old[idx-1]",
        "iteration i - 1 stores",
    ),
    (
        "panda7_listing",
        [("for (int k = 1", "\n#pragma panda reduction(+:s)\nfor (int k = 1")],
        "#pragma panda red",
        "do not gather values in 's' by +",
    ),
    ("panda7_listing", [("panda wait", "panda reduction(*:s)")], "*:s)", "+, min or max"),
    (
        "panda7_listing",
        [("k = 1; k < Nz+1", "k = 0; k < Nz+1")],
        "u_new[idx] =",
        "has Nz + 2 elements",
    ),
    ("panda7_listing", [("u_old[idx-1]", "u_old[idx-2]")], "u_old[idx-2]", "element -1 along x"),
    (
        "panda7_listing",
        [("size(Nx+2,Ny+2", "(Nx+2,Ny+2")],
        "(Nx+2,Ny+2,Nz+2)\n",
        "size(nx, ny, nz)",
    ),
    (
        "panda7_listing",
        [("std::swap(u_old, u_new);", "u_old = u_new;")],
        "u_old = u_new",
        "the same",
    ),
    (
        "panda7_listing",
        [
            ("for(int t = 0; t < iterations; t++) {", "{"),
            ("std::swap(u_old, u_new);", "std::swap(u_old, u_new);\n" + CLEAR),
        ],
        "swap(u_old",
        "no time loop has in it",
    ),
    ("panda7_listing", [("int idx =", "int idx = 2 *")], "u_new[idx] =", "'i' is multiplied by 2"),
    (
        "panda_heart",
        [("E_prev = tmp;\n  }\n", "E_prev = tmp;\n  }\n  R[0] = 1;\n")],
        "R[0] = 1",
        "in no loops over cells",
    ),
    ("panda_heart", [("boundary(zmin)", "boundary(zmax)")], "for (int j = 1", "does not name"),
    (
        "panda_heart",
        [("(ymin, ymax)", "(ymin, ymax, xmin)")],
        "#pragma panda boundary(ymin",
        "names x_lo",
    ),
    ("panda_heart", [("boundary(zmin)", "boundary(zlow)")], "zlow", "where xmin, xmax, ymin"),
    (
        "panda_heart",
        [("index + 2 * (n + 2) *", "index + 2 * (n + 1) *")],
        "E_prev[index + 2 * (n + 1)",
        "is element -1 along y",
    ),
    (
        "panda_heart",
        [("#pragma panda wait", "#pragma panda boundary(zmin)")],
        "for (k = 1; k <= n; k++)\n" "      for (j = 1; j <= n; j++)\n        for",
        "not over a plane of ghosts",
    ),
    (
        "panda_heart",
        [("index + 2 * (n + 2) * (n + 2)", "index + 3 * (n + 2) * (n + 2)")],
        "E_prev[index + 3",
        "is no image of the ghosts",
    ),
    (
        "panda_heart",
        [("+ 0 * (n + 2) * (n + 2)", "+ 1 * (n + 2) * (n + 2)")],
        "E_prev[index] =",
        "lies among the cells",
    ),
    (
        "panda_heart",
        [("E_prev[at - n - 2]", "E_prev[at - 2 * n - 4]")],
        "E_prev[at - 2 * n - 4]",
        "is element -1 along y",
    ),
    (
        "panda_heart",
        [("distribute(R) size(n + 2, n + 2", "distribute(R) size(n + 2, n + 1")],
        "R[at] +=",
        "does not fit the extents of 'R'",
    ),
    (
        "panda_heart",
        [("(n + 2) * (j + (n + 2) * k)", "(n + 1) * (j + (n + 2) * k)")],
        "E[at] = E_prev",
        "none of the strides 1, n + 2",
    ),
    (
        "panda_heart",
        [
            (
                "k <= n; k++)\n      for (j = 1; j <= n; j++)\n        for",
                "k < n; k++)\n      for (j = 1; j <= n; j++)\n        for",
            )
        ],
        "E_prev[index] =",
        "visit n - 1 there",
    ),
    (
        "panda_heart",
        [("distribute(E, E_prev)", "distribute(E)")],
        "E_prev[index] =",
        "not distribut",
    ),
    ("panda_heart", [("    E_prev = tmp", "    E_prev = E")], "E_prev = E;", "are the same array"),
    (
        "panda_heart",
        [("E[at] = E_prev[at]", "E_prev[at] = E_prev[at]")],
        "E_prev[at - 1]",
        "iteration i - 1 stores",
    ),
    ("panda_heart", [("(-R[at] -", "(-R[at - 1] -")], "R[at - 1]", "iteration i - 1 stores"),
]
