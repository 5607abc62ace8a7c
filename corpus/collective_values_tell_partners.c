/* expect:
 *   verdict: unknown
 *   because: line +31: whether `MPI_Send` in line +34 is reached depends on data that may differ between ranks
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [63..63] for np = 64 to 0
 *     receivers [0..0] for np = 64 from 63
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..62] step 6 for np = 64 to rank + 1
 *     receivers [3..63] step 6 for np = 64 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..59] step 6 for np = 61..64 to rank + 1
 *     receivers [6..60] step 6 for np = 61..64 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [60..61] for np = 63..64 to 3*2*10 + (k + 1)
 *     receivers [61..62] for np = 63..64 from 3*2*10 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..9], j in [0..1], k in [0..1]} for np = 60..64 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..9], j in [0..1], k in [1..2]} for np = 60..64 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [62..62] for np = 63 to 0
 *     receivers [0..0] for np = 63 from 62
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..56] step 6 for np = 58..63 to rank + 1
 *     receivers [3..57] step 6 for np = 58..63 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [61..61] for np = 62 to 0
 *     receivers [0..0] for np = 62 from 61
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [60..60] for np = 62 to 61
 *     receivers [61..61] for np = 62 from 60
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [60..60] for np = 61 to 0
 *     receivers [0..0] for np = 61 from 60
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [59..59] for np = 60 to 0
 *     receivers [0..0] for np = 60 from 59
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..53] step 6 for np = 55..60 to rank + 1
 *     receivers [6..54] step 6 for np = 55..60 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [58..58] for np = 59 to 0
 *     receivers [0..0] for np = 59 from 58
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [57..57] for np = 59 to 58
 *     receivers [58..58] for np = 59 from 57
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [54..55] for np = 57..59 to 3*2*9 + (k + 1)
 *     receivers [55..56] for np = 57..59 from 3*2*9 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..8], j in [0..1], k in [0..1]} for np = 54..59 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..8], j in [0..1], k in [1..2]} for np = 54..59 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [57..57] for np = 58 to 0
 *     receivers [0..0] for np = 58 from 57
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [56..56] for np = 57 to 0
 *     receivers [0..0] for np = 57 from 56
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..50] step 6 for np = 52..57 to rank + 1
 *     receivers [3..51] step 6 for np = 52..57 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [55..55] for np = 56 to 0
 *     receivers [0..0] for np = 56 from 55
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [54..54] for np = 56 to 55
 *     receivers [55..55] for np = 56 from 54
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [54..54] for np = 55 to 0
 *     receivers [0..0] for np = 55 from 54
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [53..53] for np = 54 to 0
 *     receivers [0..0] for np = 54 from 53
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..47] step 6 for np = 49..54 to rank + 1
 *     receivers [6..48] step 6 for np = 49..54 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [52..52] for np = 53 to 0
 *     receivers [0..0] for np = 53 from 52
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [51..51] for np = 53 to 52
 *     receivers [52..52] for np = 53 from 51
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [48..49] for np = 51..53 to 3*2*8 + (k + 1)
 *     receivers [49..50] for np = 51..53 from 3*2*8 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..7], j in [0..1], k in [0..1]} for np = 48..53 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..7], j in [0..1], k in [1..2]} for np = 48..53 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [51..51] for np = 52 to 0
 *     receivers [0..0] for np = 52 from 51
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [50..50] for np = 51 to 0
 *     receivers [0..0] for np = 51 from 50
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..44] step 6 for np = 46..51 to rank + 1
 *     receivers [3..45] step 6 for np = 46..51 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [49..49] for np = 50 to 0
 *     receivers [0..0] for np = 50 from 49
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [48..48] for np = 50 to 49
 *     receivers [49..49] for np = 50 from 48
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [48..48] for np = 49 to 0
 *     receivers [0..0] for np = 49 from 48
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [47..47] for np = 48 to 0
 *     receivers [0..0] for np = 48 from 47
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..41] step 6 for np = 43..48 to rank + 1
 *     receivers [6..42] step 6 for np = 43..48 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [46..46] for np = 47 to 0
 *     receivers [0..0] for np = 47 from 46
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [45..45] for np = 47 to 46
 *     receivers [46..46] for np = 47 from 45
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [42..43] for np = 45..47 to 3*2*7 + (k + 1)
 *     receivers [43..44] for np = 45..47 from 3*2*7 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..6], j in [0..1], k in [0..1]} for np = 42..47 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..6], j in [0..1], k in [1..2]} for np = 42..47 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [45..45] for np = 46 to 0
 *     receivers [0..0] for np = 46 from 45
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [44..44] for np = 45 to 0
 *     receivers [0..0] for np = 45 from 44
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..38] step 6 for np = 40..45 to rank + 1
 *     receivers [3..39] step 6 for np = 40..45 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [43..43] for np = 44 to 0
 *     receivers [0..0] for np = 44 from 43
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [42..42] for np = 44 to 43
 *     receivers [43..43] for np = 44 from 42
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [42..42] for np = 43 to 0
 *     receivers [0..0] for np = 43 from 42
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [41..41] for np = 42 to 0
 *     receivers [0..0] for np = 42 from 41
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..35] step 6 for np = 37..42 to rank + 1
 *     receivers [6..36] step 6 for np = 37..42 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [40..40] for np = 41 to 0
 *     receivers [0..0] for np = 41 from 40
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [39..39] for np = 41 to 40
 *     receivers [40..40] for np = 41 from 39
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [36..37] for np = 39..41 to 3*2*6 + (k + 1)
 *     receivers [37..38] for np = 39..41 from 3*2*6 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..5], j in [0..1], k in [0..1]} for np = 36..41 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..5], j in [0..1], k in [1..2]} for np = 36..41 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [39..39] for np = 40 to 0
 *     receivers [0..0] for np = 40 from 39
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [38..38] for np = 39 to 0
 *     receivers [0..0] for np = 39 from 38
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..32] step 6 for np = 34..39 to rank + 1
 *     receivers [3..33] step 6 for np = 34..39 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [37..37] for np = 38 to 0
 *     receivers [0..0] for np = 38 from 37
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [36..36] for np = 38 to 37
 *     receivers [37..37] for np = 38 from 36
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [36..36] for np = 37 to 0
 *     receivers [0..0] for np = 37 from 36
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [35..35] for np = 36 to 0
 *     receivers [0..0] for np = 36 from 35
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..29] step 6 for np = 31..36 to rank + 1
 *     receivers [6..30] step 6 for np = 31..36 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [34..34] for np = 35 to 0
 *     receivers [0..0] for np = 35 from 34
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [33..33] for np = 35 to 34
 *     receivers [34..34] for np = 35 from 33
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [30..31] for np = 33..35 to 3*2*5 + (k + 1)
 *     receivers [31..32] for np = 33..35 from 3*2*5 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..4], j in [0..1], k in [0..1]} for np = 30..35 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..4], j in [0..1], k in [1..2]} for np = 30..35 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [33..33] for np = 34 to 0
 *     receivers [0..0] for np = 34 from 33
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [32..32] for np = 33 to 0
 *     receivers [0..0] for np = 33 from 32
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..26] step 6 for np = 28..33 to rank + 1
 *     receivers [3..27] step 6 for np = 28..33 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [31..31] for np = 32 to 0
 *     receivers [0..0] for np = 32 from 31
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [30..30] for np = 32 to 31
 *     receivers [31..31] for np = 32 from 30
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [30..30] for np = 31 to 0
 *     receivers [0..0] for np = 31 from 30
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [29..29] for np = 30 to 0
 *     receivers [0..0] for np = 30 from 29
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..23] step 6 for np = 25..30 to rank + 1
 *     receivers [6..24] step 6 for np = 25..30 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [28..28] for np = 29 to 0
 *     receivers [0..0] for np = 29 from 28
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [27..27] for np = 29 to 28
 *     receivers [28..28] for np = 29 from 27
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [24..25] for np = 27..29 to 3*2*4 + (k + 1)
 *     receivers [25..26] for np = 27..29 from 3*2*4 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..3], j in [0..1], k in [0..1]} for np = 24..29 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..3], j in [0..1], k in [1..2]} for np = 24..29 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [27..27] for np = 28 to 0
 *     receivers [0..0] for np = 28 from 27
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [26..26] for np = 27 to 0
 *     receivers [0..0] for np = 27 from 26
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..20] step 6 for np = 22..27 to rank + 1
 *     receivers [3..21] step 6 for np = 22..27 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [25..25] for np = 26 to 0
 *     receivers [0..0] for np = 26 from 25
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [24..24] for np = 26 to 25
 *     receivers [25..25] for np = 26 from 24
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [24..24] for np = 25 to 0
 *     receivers [0..0] for np = 25 from 24
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [23..23] for np = 24 to 0
 *     receivers [0..0] for np = 24 from 23
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..17] step 6 for np = 19..24 to rank + 1
 *     receivers [6..18] step 6 for np = 19..24 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [22..22] for np = 23 to 0
 *     receivers [0..0] for np = 23 from 22
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [21..21] for np = 23 to 22
 *     receivers [22..22] for np = 23 from 21
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [18..19] for np = 21..23 to 3*2*3 + (k + 1)
 *     receivers [19..20] for np = 21..23 from 3*2*3 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..2], j in [0..1], k in [0..1]} for np = 18..23 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..2], j in [0..1], k in [1..2]} for np = 18..23 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [21..21] for np = 22 to 0
 *     receivers [0..0] for np = 22 from 21
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [20..20] for np = 21 to 0
 *     receivers [0..0] for np = 21 from 20
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..14] step 6 for np = 16..21 to rank + 1
 *     receivers [3..15] step 6 for np = 16..21 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [19..19] for np = 20 to 0
 *     receivers [0..0] for np = 20 from 19
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [18..18] for np = 20 to 19
 *     receivers [19..19] for np = 20 from 18
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [18..18] for np = 19 to 0
 *     receivers [0..0] for np = 19 from 18
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [17..17] for np = 18 to 0
 *     receivers [0..0] for np = 18 from 17
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..11] step 6 for np = 13..18 to rank + 1
 *     receivers [6..12] step 6 for np = 13..18 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [16..16] for np = 17 to 0
 *     receivers [0..0] for np = 17 from 16
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [15..15] for np = 17 to 16
 *     receivers [16..16] for np = 17 from 15
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [12..13] for np = 15..17 to 3*2*2 + (k + 1)
 *     receivers [13..14] for np = 15..17 from 3*2*2 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*(2*i + j) + k: i in [0..1], j in [0..1], k in [0..1]} for np = 12..17 to rank + 1
 *     receivers {3*(2*i + j) + k: i in [0..1], j in [0..1], k in [1..2]} for np = 12..17 from rank - 1
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [15..15] for np = 16 to 0
 *     receivers [0..0] for np = 16 from 15
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [14..14] for np = 15 to 0
 *     receivers [0..0] for np = 15 from 14
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..8] step 6 for np = 10..15 to rank + 1
 *     receivers [3..9] step 6 for np = 10..15 from rank - 1
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [13..13] for np = 14 to 0
 *     receivers [0..0] for np = 14 from 13
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [12..12] for np = 14 to 13
 *     receivers [13..13] for np = 14 from 12
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [12..12] for np = 13 to 0
 *     receivers [0..0] for np = 13 from 12
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [11..11] for np = 12 to 0
 *     receivers [0..0] for np = 12 from 11
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..5] for np = 7..12 to 6
 *     receivers [6..6] for np = 7..12 from 5
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [10..10] for np = 11 to 0
 *     receivers [0..0] for np = 11 from 10
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [9..9] for np = 11 to 10
 *     receivers [10..10] for np = 11 from 9
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [6..7] for np = 9..11 to 3*2*1 + (k + 1)
 *     receivers [7..8] for np = 9..11 from 3*2*1 + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders {3*j + k: j in [0..1], k in [0..1]} for np = 6..11 to 3*j + (k + 1)
 *     receivers {3*j + k: j in [0..1], k in [1..2]} for np = 6..11 from 3*j + (k - 1)
 *     (receiver % 3) MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [9..9] for np = 10 to 0
 *     receivers [0..0] for np = 10 from 9
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [8..8] for np = 9 to 0
 *     receivers [0..0] for np = 9 from 8
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..2] for np = 6..9 to 3
 *     receivers [3..3] for np = 6..9 from 2
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [7..7] for np = 8 to 0
 *     receivers [0..0] for np = 8 from 7
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [6..6] for np = 8 to 7
 *     receivers [7..7] for np = 8 from 6
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [6..6] for np = 7 to 0
 *     receivers [0..0] for np = 7 from 6
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [5..5] for np = 6 to 0
 *     receivers [0..0] for np = 6 from 5
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [4..4] for np = 5 to 0
 *     receivers [0..0] for np = 5 from 4
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..3] for np = 5 to rank + 1
 *     receivers [1..4] for np = 5 from rank - 1
 *     unknown MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [3..3] for np = 4 to 0
 *     receivers [0..0] for np = 4 from 3
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..2] for np = 4 to rank + 1
 *     receivers [1..3] for np = 4 from rank - 1
 *     receiver MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [2..2] for np = 3 to 0
 *     receivers [0..0] for np = 3 from 2
 *     3 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..1] for np = 3 to rank + 1
 *     receivers [1..2] for np = 3 from rank - 1
 *     receiver MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     2 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +19, ranks [0..np-1] for np = 1..64, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Exscan line +20, ranks [0..np-1] for np = 1..64, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoall line +25, ranks [0..np-1] for np = 1..64, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +30, ranks [0..np-1] for np = 1..64, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *   pattern: shift of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 */
// Whom to write to, how much and with which tag comes out of collectives of numbers that all can compute: a scan,
// a gather to all, an exchange of numbers, the place of the greatest number.
#include <mpi.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
    int me, procs;
    int lengths[MOST], asked[MOST], wanted[MOST];
    double data[MOST] = {0}, got[MOST];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (procs > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int length = 1 + me % 3, before = 0;
    MPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Exscan(&length, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        before = 0;
    for (int rank = 0; rank < procs; rank++)
        asked[rank] = (me + rank) % 2;
    MPI_Alltoall(asked, 1, MPI_INT, wanted, 1, MPI_INT, MPI_COMM_WORLD);
    int right = (me + 1) % procs, left = (me + procs - 1) % procs;
    MPI_Sendrecv(data, length, MPI_DOUBLE, right, before, got, lengths[left], MPI_DOUBLE, left, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    struct { int value, rank; } mine = {(me * 5) % 7, me}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (me == most.rank && wanted[0] >= 0) {
        for (int rank = 0; rank < procs; rank++)
            if (rank != me)
                MPI_Send(data, most.value, MPI_DOUBLE, rank, 500, MPI_COMM_WORLD);
    } else {
        MPI_Recv(got, MOST, MPI_DOUBLE, most.rank, 500, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
