"""The HTML of messages in mails."""

import pytest

from chatcore.domain.sent_mail.pages import HIDDEN, page_of

URL = "https://chat.example.org"


@pytest.mark.parametrize(
    ("rendered", "page"),
    [
        ("<p>a &lt;b&gt; &amp; <strong>c</strong></p>",
         '<p dir="auto">a &lt;b&gt; &amp; <strong>c</strong></p>'),
        ('<p><span class="user-mention" data-user-id="3">@Ada</span></p>', '<p dir="auto">@Ada</p>'),
        ('<a class="stream" data-stream-id="9" href="/#narrow/channel/9-lunch">#lunch</a>',
         f'<a href="{URL}/#narrow/channel/9-lunch">#lunch</a>'),
        ('<a href="https://a.example/?b&amp;c=&quot;" title="x">y</a>',
         '<a href="https://a.example/?b&amp;c=&quot;">y</a>'),
        (f'<a href="https://a.example/?b=&#{"0" * 4400}65;">y</a>', '<a href="https://a.example/?b=\ufffd">y</a>'),
        ('<a href="javascript:alert(1)">y</a>', "y"),
        ('<a href="http://[">y</a>', "y"),
        ('<span aria-label="smile" class="emoji emoji-1f604" title="smile">:smile:</span>!', "😄!"),
        ('<span class="emoji emoji-1f1e9-1f1ea" title="de">:de:</span>', "🇩🇪"),
        ('<img alt=":fox:" class="emoji" src="/user_avatars/fox.png" title="fox">', ":fox:"),
        ('<div class="message_inline_image"><a href="/user_uploads/1/cat.png" title="cat.png">'
         '<img src="/user_uploads/thumbnail/1/cat.png/840x560.webp"></a></div>',
         f'<div><a href="{URL}/user_uploads/1/cat.png">[picture: cat.png]</a></div>'),
        ('<audio controls preload="metadata" src="/user_uploads/1/a.mp3" title="song"></audio>',
         f'<a href="{URL}/user_uploads/1/a.mp3">[sound: song]</a>'),
        ('<div class="spoiler-block"><div class="spoiler-header"><p>End</p></div>'
         '<div class="spoiler-content" aria-hidden="true"><p>the <b>butler<br></b></p></div></div><p>z</p>',
         f'<div><div><p dir="auto">End</p></div><p><em>{HIDDEN}</em></p></div><p dir="auto">z</p>'),
        ('<ol start="3">\n<li>x</li>\n</ol>', '<ol start="3">\n<li dir="auto">x</li>\n</ol>'),
        ('<div class="codehilite"><pre><span></span><code><span class="k">if</span> x\n</code></pre></div>',
         '<div><pre dir="ltr"><code dir="ltr">if x\n</code></pre></div>'),
        ('<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
         '<annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>'
         '<span class="katex-html"><span style="top:1em">x2</span></span></span>', "x^2"),
        ("<p style='x' onclick='y'>a<script>b()</script><style>c</style></p>", '<p dir="auto">a</p>'),
        ("<blockquote><h1>a</h1><table><tr><th style='text-align: left'>b</th></tr></table></blockquote>",
         '<blockquote dir="auto"><h1 dir="auto">a</h1><table><tr><th dir="auto">b</th></tr></table>'
         "</blockquote>"),
        ("</p></div>x", "x"),
    ],
)  # fmt: skip
def test_a_mail_has_plain_elements_with_absolute_links(rendered: str, page: str) -> None:
    assert page_of(rendered, URL) == page
