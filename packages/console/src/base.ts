/** What most pages are made of. The build makes every page load it, so that it is one file and not one for each choice of pages. */
import "./App.js"
import "./pages/Transcripts/StartAgainLater.js"
import "./widgets/Combobox.js"
import "./widgets/JobState.js"
import "./widgets/Once.js"
import "./widgets/Page.js"
import "./widgets/saveFile.js"
import "./widgets/titleOf.js"
