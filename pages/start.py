"""Start: what are you protecting, and from whom?"""

import streamlit as st

from pages.parts.front_door import come_in
from pages.parts.show.look import apply_style
from pages.parts.start import stories

come_in()
colours = apply_style()
st.html(
    """<h1 class="pb-title">What does privacy cost, and what does it buy?</h1>
<p class="pb-lead">Bayesian optimisation finds a good choice with few expensive trials. If the data behind it are sensitive,
somebody must not see them. PrivBO lets you drag the level of protection and watch what happens to the search.</p>"""
)
picture, words = st.columns([1.1, 1], gap="large", vertical_alignment="center")
with picture:
    st.html(stories.outsourced_picture(colours))
with words:
    st.html(
        """<h2 class="pb-heading">A hospital lets somebody else choose whom to test</h2>
<p>A test for early relapse is expensive, so only a few of thousands of patients can have it. A company knows how to
choose them well, one after the other, by Bayesian optimisation. The hospital may not hand over the records.</p>
<p>So it hands over a <b>random projection</b> of them. The company never learns what a number means; it says “test number
4 711 next”, gets the result back, and chooses again. How good is a choice made half-blind? And does the projection really
hide the patients?</p>"""
    )
    st.page_link(
        "pages/outsourced.py",
        label="Drag ε and see: Outsourced, running on a sample",
        icon=":material/hub:",
        query_params={"epsilon": "3", "r": "10"},
    )
    st.page_link("pages/audit.py", label="Does it hide them? Audit", icon=":material/fact_check:")
picture, words = st.columns([1.1, 1], gap="large", vertical_alignment="center")
with picture:
    st.html(stories.release_picture(colours))
with words:
    st.html(
        """<h2 class="pb-heading">A team publishes a tuned model</h2>
<p>A team tunes a classifier on the records of real people and wants to say which setting is best, and how good it is. But
the best setting and its score are computed from those records, and may give one of them away.</p>
<p>So the team draws the setting at random, good ones being likelier, and adds <b>noise to the score</b>. Is what comes out
still better than a blind draw? And for which data does the promise hold?</p>"""
    )
    st.page_link(
        "pages/release.py",
        label="Drag ε and see: Release, on a tumour table",
        icon=":material/campaign:",
        query_params={"epsilon": "3"},
    )
picture, words = st.columns([1.1, 1], gap="large", vertical_alignment="center")
with picture:
    st.html(stories.federated_picture(colours))
with words:
    st.html(
        """<h2 class="pb-heading">Schools tune together, and nobody’s participation shows</h2>
<p>Many schools look for the best settings of the same kind of model, each with its own pupils. One school’s trials would help
the next. But nobody should be able to tell from what is shared whether a given school took part.</p>
<p>In each round a server asks <b>some of them, drawn at random</b>, adds up what they believe, and <b>adds noise</b> before it
tells everyone. How much noise is enough, after how many rounds? And is tuning together still better than tuning
alone?</p>"""
    )
    st.page_link(
        "pages/federated.py",
        label="Drag z and see: Federated, running on a sample",
        icon=":material/groups:",
        query_params={"z": "1", "q": "0.25"},
    )
st.html(
    """<h2 class="pb-heading">How to read a page</h2>
<ul class="pb-list">
<li>Sliders answer <b>while you drag</b>. The number box beside each takes an exact value; arrow keys work too.</li>
<li>Titles say what a figure shows <i>now</i>. <i>Explain this</i> gives the formula with the present numbers in it.</li>
<li>A badge says who may see a figure: <span class="pb-badge pb-curator">curator’s eyes only</span> is computed from raw
data, <span class="pb-badge pb-share">safe to share</span> is covered by the guarantee stated on the page or known to all
anyway, <span class="pb-badge pb-simulation">simulation</span> needs the true optimum, which nobody has in a real run.</li>
<li>The guarantee card says who is protected from whom, how much, and whether that is proved, only claimed, or refuted.</li>
<li>The address in your browser holds every setting: copy it to share a view. Everything is computed on this machine.</li>
</ul>"""
)
