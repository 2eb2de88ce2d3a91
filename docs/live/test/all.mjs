// node docs/live/test/all.mjs: all tests of the site in out/site, against the programs of build/release. Pictures go to out/web.
import { after } from "node:test";

import { close } from "./browser.mjs";
import "./one_step.mjs";
import "./learn.mjs";
import "./book.mjs";

after(close);
