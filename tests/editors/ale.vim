" A user of Vim with ALE: opens a file, reads what is shown, takes the fix, mends the bug, saves. Written down as JSON.
let s:story = {}
let s:patience = 60.0

function! s:Codes() abort
  return sort(map(copy(ale#engine#GetLoclist(bufnr(''))), {_, item -> get(item, 'code', '')}))
endfunction

function! s:Wait(Ready, what) abort
  let l:start = reltime()
  while !a:Ready()
    if reltimefloat(reltime(l:start)) > s:patience
      throw 'waited for ' . a:what . ', and saw ' . string(s:Codes())
    endif
    sleep 50m
  endwhile
endfunction

function! s:See(wanted) abort
  call s:Wait({-> s:Codes() ==# a:wanted}, string(a:wanted))
  return s:Codes()
endfunction

function! s:Shown(item) abort
  return {'code': a:item.code, 'message': a:item.text, 'detail': a:item.detail, 'severity': a:item.type,
  \ 'line': a:item.lnum, 'from': a:item.col, 'to': a:item.end_col}
endfunction

let s:menu = []

function! s:Menu(data, items) abort
  let s:menu = [[a:data, map(copy(a:items), {_, item -> item[1]})]]
endfunction

" The menu of :ALECodeAction, answered as by a user.
function! s:Choose(title) abort
  call ale#codefix#Execute(0, function('s:Menu'))
  call s:Wait({-> !empty(s:menu)}, 'the menu of code actions')
  let [l:data, l:items] = s:menu[0]
  let l:titles = map(copy(l:items), {_, item -> item.title})
  if index(l:titles, a:title) >= 0
    call ale#codefix#ApplyLSPCodeAction(l:data, l:items[index(l:titles, a:title)])
  endif
  return l:titles
endfunction

function! s:Hover() abort
  let g:ale_hover_to_preview = 1
  call ale#hover#ShowAtCursor()
  call s:Wait({-> !empty(filter(getwininfo(), 'getwinvar(v:val.winid, "&previewwindow")'))}, 'the hover')
  wincmd P
  let l:text = join(getline(1, '$'), "\n")
  wincmd p
  pclose
  return l:text
endfunction

function! s:Go() abort
  execute 'edit' fnameescape($STORY_FILE)
  call s:See(['DP007', 'DP901'])
  let s:story.before = map(copy(ale#engine#GetLoclist(bufnr(''))), {_, item -> s:Shown(item)})
  call cursor(6, 8)
  let s:story.hover = s:Hover()
  call cursor(10, 16)
  let s:story.actions = s:Choose('Replace "epsilom" by "epsilon"')
  " Vim says that a text has changed when it waits for a key, which it does not while a script runs.
  doautocmd TextChanged
  let s:story.after_fix = s:See(['DP901'])
  let s:story.text = getline(1, '$')
  call setline(7, substitute(getline(7), 'scale=epsilon', 'scale=1 / epsilon', ''))
  write
  let s:story.after_save = s:See([])
endfunction

function! Story(timer) abort
  try
    call s:Go()
  catch
    let s:story.failed = v:exception . ' at ' . v:throwpoint
  endtry
  call writefile([json_encode(s:story)], $STORY)
  qall!
endfunction

" A timer: ALE is ready only when Vim has started.
call timer_start(0, 'Story')
