"""The table of calls: one row for each word, with its spellings and what is known of it.

`calls` says how a row is read. A function that programs, lanes or rules are to know begins here.
"""

SINKS = """
log: .critical .debug .error .exception .info .log .warn .warning
log: warnings.warn wandb.log mlflow.log_metric mlflow.log_metrics mlflow.log_param
logger: logging.getLogger .getLogger .get_logger
print: print pprint.pprint click.echo rich.print sys.stdout.write sys.stderr.write
write: pickle.dump json.dump numpy.save numpy.savetxt numpy.savez joblib.dump torch.save matplotlib.pyplot.plot
write: .write .writelines .to_csv .to_json .to_pickle .to_parquet .to_excel .to_sql .tofile .savez
"""
"""By which calls values leave: functions by their full names, methods with a dot. A logger is what has such methods."""

TABLE = """
abs: abs math.fabs numpy.abs/unary numpy.absolute/unary numpy.fabs/unary | passing same-length moves
acos: math.acos
acosh: math.acosh
add: numpy.add ~add()
all: all/eager numpy.all .all | aggregate
allclose: numpy.allclose
any: any/eager numpy.any .any | aggregate
append: numpy.append/copy !append
appendleft: ~appendleft()
apply: | applies
apply_along_axis: | applies
applymap: | applies
arange: numpy.arange
argmax: numpy.argmax .argmax ~nanargmax ~idxmax | selection
argmin: numpy.argmin .argmin ~idxmin | selection
argpartition: numpy.argpartition .argpartition | selection
argsort: numpy.argsort .argsort | selection
argwhere: numpy.argwhere | part
array: numpy.array/copy numpy.asarray/view ~asanyarray | passing same-length moves
array_equal: numpy.array_equal
array_split: numpy.array_split/view | passing
asin: math.asin
asinh: math.asinh
astype: .astype/view | passing same-length moves
atan: math.atan
atan2: math.atan2
atanh: math.atanh
atleast_1d: numpy.atleast_1d/view numpy.atleast_2d/view | passing same-length moves
bin: bin | passing
bincount: numpy.bincount | aggregate
bisect: bisect.bisect bisect.bisect_left bisect.bisect_right | selection
bit_length: .bit_length
bool: bool numpy.bool_ | passing
callable: | public
capitalize: .capitalize
cbrt: numpy.cbrt/unary
cdf: scipy.stats.norm.cdf scipy.stats.laplace.cdf scipy.stats.expon.cdf scipy.stats.logistic.cdf
ceil: math.ceil numpy.ceil/unary
center: .center
cholesky: numpy.linalg.cholesky
chr: chr
clear: !clear
clip: numpy.clip/view .clip/view ~clamp | same-length moves
column_stack: numpy.column_stack | passing
columns: | public
comb: math.comb scipy.special.comb
combinations: itertools.combinations/copy/iterator | passing
compress: numpy.compress itertools.compress/copy/iterator | part
concatenate: numpy.concatenate/copy itertools.chain/copy/iterator | passing
convolve: numpy.convolve
copy: .copy | passing same-length moves
copysign: math.copysign numpy.copysign
cos: math.cos numpy.cos/unary
cosh: math.cosh
count: .count | aggregate
count_nonzero: numpy.count_nonzero | aggregate
Counter: | extreme
cov: numpy.cov numpy.corrcoef | aggregate
cpu: | passing
cummax: numpy.maximum.accumulate numpy.minimum.accumulate | extreme
cumprod: numpy.cumprod .cumprod | aggregate
cumsum: numpy.cumsum numpy.add.accumulate .cumsum itertools.accumulate/copy/iterator | aggregate
degrees: math.degrees
delete: numpy.delete | part
det: numpy.linalg.det
detach: | passing
diag: numpy.diag/view | passing
dict: dict/copy/eager | passing
diff: numpy.diff/view
digitize: numpy.digitize
discard: ~discard()
dist: math.dist
divide: numpy.divide
divmod: divmod
domain: | public
dot: numpy.dot .dot | aggregate
drop_duplicates: | extreme
dropna: | part
dtype: | public
dtypes: | public
ediff1d: numpy.ediff1d
eigh: numpy.linalg.eigh
eigvalsh: numpy.linalg.eigvalsh
einsum: numpy.einsum/view | aggregate
empty: | fresh
empty_like: | fresh
endswith: .endswith
enumerate: enumerate/copy/iterator | passing same-length
equal: numpy.equal
erf: math.erf scipy.special.erf
erfc: math.erfc
erfinv: scipy.special.erfinv
exp: math.exp numpy.exp/unary
exp2: numpy.exp2/unary
expand_dims: numpy.expand_dims/view | passing
expit: scipy.special.expit
expm1: math.expm1 numpy.expm1/unary
extend: !extend
extract: numpy.extract | part
eye: numpy.eye
f-string: | passing
factorial: math.factorial
filter: | applies part
find: .find
findall: | part
flatnonzero: numpy.flatnonzero | part
flatten: .flatten | passing same-length
flip: numpy.flip/view
float: float numpy.float64/view | passing moves
floor: math.floor numpy.floor/unary
floor_divide: numpy.floor_divide
fmax: numpy.fmax
fmin: numpy.fmin
fmod: math.fmod
format: format .format | passing
frompyfunc: | wraps
full: numpy.full
full_like: numpy.full_like | fresh
gamma: math.gamma
gammaln: scipy.special.gammaln
gcd: math.gcd
geomspace: numpy.geomspace
get: .get/view
greater: numpy.greater
greater_equal: numpy.greater_equal
groupby: | extreme
hasattr: | public
heaviside: numpy.heaviside
hex: hex | passing
histogram: numpy.histogram | aggregate
hstack: numpy.hstack | passing
hypot: math.hypot numpy.hypot
id: | public
imap: | applies
imap_unordered: | applies
index: .index | selection
inner: numpy.inner
insert: !insert numpy.insert
int: int numpy.int64/view | passing
interp: numpy.interp
intersect1d: numpy.intersect1d | part
inv: numpy.linalg.inv
is_bool_dtype: | public
is_categorical_dtype: | public
is_datetime64_any_dtype: | public
is_float_dtype: | public
is_integer: .is_integer
is_integer_dtype: | public
is_numeric_dtype: | public
is_object_dtype: | public
is_string_dtype: | public
is_timedelta64_dtype: | public
isalnum: .isalnum
isalpha: .isalpha
isclose: math.isclose numpy.isclose
isdigit: .isdigit
isfinite: math.isfinite numpy.isfinite/unary
isin: numpy.isin
isinf: math.isinf numpy.isinf/unary
isinstance: | public
islice: itertools.islice/copy/iterator | passing
islower: .islower
isnan: math.isnan numpy.isnan/unary
isneginf: numpy.isneginf
isnumeric: .isnumeric
isposinf: numpy.isposinf
isqrt: math.isqrt
isspace: .isspace
issubclass: | public
issubdtype: | public
isupper: .isupper
item: .item | passing
items: .items/view
join: .join
keys: .keys/view | extreme
kron: numpy.kron
lcm: math.lcm
ldexp: math.ldexp
len: len | size
less: numpy.less
less_equal: numpy.less_equal
lexsort: numpy.lexsort | selection
lgamma: math.lgamma
linspace: numpy.linspace
list: list/copy/eager | passing same-length
ljust: .ljust
loc: | part
log: math.log numpy.log/unary
log10: math.log10 numpy.log10/unary
log1p: math.log1p numpy.log1p/unary
log2: math.log2 numpy.log2/unary
logaddexp: numpy.logaddexp
logical_and: numpy.logical_and
logical_not: numpy.logical_not/unary
logical_or: numpy.logical_or
logical_xor: numpy.logical_xor
logit: scipy.special.logit
logspace: numpy.logspace
logsumexp: scipy.special.logsumexp
lower: .lower
lstrip: .lstrip
lstsq: numpy.linalg.lstsq
map: | applies
map_structure: | applies
max: max/pick/eager numpy.amax numpy.max numpy.nanmax .max | passing extreme
max-by: max-by/pick | selection
maximum: numpy.maximum/view
mean: numpy.average numpy.mean numpy.nanmean statistics.fmean/eager statistics.mean/eager .mean | aggregate
median: numpy.median numpy.nanmedian statistics.median/eager | aggregate extreme
meshgrid: numpy.meshgrid | passing
min: min/pick/eager numpy.amin numpy.min numpy.nanmin .min | passing extreme
min-by: min-by/pick | selection
minimum: numpy.minimum/view
mod: numpy.mod
mode: statistics.mode | extreme
modf: math.modf
multiply: numpy.multiply
nan_to_num: numpy.nan_to_num | moves
ndim: numpy.ndim | public
ndtr: scipy.special.ndtr
ndtri: scipy.special.ndtri
negative: numpy.negative/unary
nextafter: math.nextafter
nlargest: heapq.nlargest/copy/eager | selection
nonzero: numpy.nonzero .nonzero | part
norm: numpy.linalg.norm | aggregate
not_equal: numpy.not_equal
nsmallest: heapq.nsmallest/copy/eager | selection
numel: | size
numpy: | passing
nunique: | extreme
ones: numpy.ones | fresh
ones_like: numpy.ones_like | fresh
ord: ord
outer: numpy.outer
pad: numpy.pad
pairwise: itertools.pairwise/copy/iterator | passing
partition: numpy.partition
pdf: scipy.stats.norm.pdf scipy.stats.laplace.pdf scipy.stats.expon.pdf scipy.stats.logistic.pdf
percentile: numpy.percentile ~nanpercentile | extreme
perm: math.perm
permutations: itertools.permutations/copy/iterator | passing
pinv: numpy.linalg.pinv
pop: !pop
popleft: ~popleft()
pow: math.pow numpy.float_power numpy.power pow
ppf: scipy.stats.norm.ppf scipy.stats.laplace.ppf scipy.stats.expon.ppf scipy.stats.logistic.ppf
print: print | passing
prod: math.prod/eager numpy.prod .prod | aggregate
product: itertools.product/copy/iterator | passing
ptp: numpy.ptp | extreme
put: ~put()
qr: numpy.linalg.qr
quantile: numpy.quantile ~nanquantile | extreme
quantiles: statistics.quantiles/eager | extreme
query: | part
radians: math.radians
range: range | public
ravel: numpy.ravel/view .ravel/view | passing same-length
remainder: math.remainder numpy.remainder
remove: !remove
removeprefix: .removeprefix
removesuffix: .removesuffix
repeat: numpy.repeat .repeat itertools.repeat/copy/iterator
replace: .replace
repr: repr | passing
reshape: numpy.reshape/view .reshape/view | passing
reverse: !reverse
reversed: reversed/copy/iterator | passing same-length
rfind: .rfind
rjust: .rjust
roll: numpy.roll
round: numpy.around numpy.rint/unary numpy.round round .round | passing moves
rstrip: .rstrip
schema: | public
searchsorted: numpy.searchsorted .searchsorted | selection
select: numpy.select
set: | extreme
setdefault: !setdefault
setdiff1d: numpy.setdiff1d | part
sf: scipy.stats.norm.sf scipy.stats.laplace.sf scipy.stats.expon.sf scipy.stats.logistic.sf
shape: numpy.shape | size
sign: numpy.sign/unary
sin: math.sin numpy.sin/unary
sinh: math.sinh
size: numpy.size | size
softmax: scipy.special.softmax | same-length
solve: numpy.linalg.solve
sort: numpy.sort !sort
sorted: sorted/copy/eager | passing same-length
sorted-by: sorted-by/copy | selection
split: .split
splitlines: .splitlines
sqrt: math.sqrt numpy.sqrt/unary
square: numpy.square/unary
squeeze: numpy.squeeze/view .squeeze/view | passing
stack: numpy.stack | passing
starmap: | applies
startswith: .startswith
std: numpy.std .std statistics.pstdev/eager statistics.stdev/eager | aggregate
str: str | passing
strip: .strip
subtract: numpy.subtract
sum: math.fsum/eager numpy.nansum numpy.sum sum/copy/eager .sum | aggregate
svd: numpy.linalg.svd
swapcase: .swapcase
take: numpy.take .take | part
tan: math.tan numpy.tan/unary
tanh: math.tanh numpy.tanh/unary
tile: numpy.tile
title: .title
to_numpy: | passing same-length
tolist: .tolist | passing same-length
topk: | selection
trace: numpy.trace | aggregate
transform: | applies
transpose: numpy.transpose/view .transpose/view | passing
tree_map: | applies
triu: numpy.triu numpy.tril
trunc: math.trunc numpy.trunc/unary
tuple: tuple/copy/eager | passing same-length
type: | public
ulp: math.ulp
union1d: numpy.union1d | part
unique: numpy.unique | extreme
update: !update
upper: .upper
value_counts: | aggregate extreme
values: .values/view
var: numpy.var .var statistics.pvariance/eager statistics.variance/eager | aggregate
vdot: numpy.vdot
vectorize: | wraps
vmap: | wraps
vstack: numpy.vstack | passing
where: numpy.where/view | part
xlogy: scipy.special.xlogy
zeros: numpy.zeros | fresh
zeros_like: numpy.zeros_like | fresh
zfill: .zfill
zip: zip/copy/iterator | passing
zip_longest: itertools.zip_longest/copy/iterator | passing
"""
