/* Heat, seven points: listing 1 of Mint (Unat, Cai and Baden, ICS 2011), its 24 lines as printed,
 * in a function that declares its names. Mends: none. The brace on the line of "mint single" is
 * accepted, though a compiler that skips the line sees a brace too few. */
/* clang-format off */
void heat(double ***U, double ***Unew, int n, int m, int k, int T, double c0, double c1)
{
#pragma mint copy(U,toDevice,(n+2),(m+2),(k+2))
#pragma mint copy(Unew,toDevice,(n+2),(m+2),(k+2))

#pragma mint parallel default(shared)
{
    int t=0;
    while( t++ < T ){

#pragma mint for nest(all) tile(16,16,1)
    for (int z=1; z<= k; z++)
    for (int y=1; y<= m; y++)
    for (int x=1; x<= n; x++)
        Unew[z][y][x] = c0 * U[z][y][x] +
            c1 * (U[z][y][x-1] + U[z][y][x+1] +
                U[z][y-1][x] + U[z][y+1][x] +
                U[z-1][y][x] + U[z+1][y][x]);
#pragma mint single{
    double*** tmp;
    tmp = U; U = Unew; Unew = tmp;
} //end of single
} //end of while
} //end of parallel region

#pragma mint copy(U,fromDevice,(n+2),(m+2),(k+2))
}
