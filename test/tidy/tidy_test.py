"""Every rule of tools/tidy.py fires on a bad sample and stays silent on a good one; generate.py --check can fail."""

import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

import generate  # noqa: E402
import tidy  # noqa: E402

PROSE = "// plan/a.hpp - a sample header whose opening comment has more than eight words in it.\n#pragma once\n"


def body(lines: int) -> str:
    return "  f();\n" * lines


class Tree(unittest.TestCase):
    """A source tree of a few files, made for one test."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def found(self, files: dict[str, str]) -> list[str]:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tidy.violations(self.root)

    def fires(self, rule: str, files: dict[str, str], line: int = 1):
        found = self.found(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(f":{line}: {rule}: ", found[0])

    def silent(self, files: dict[str, str]):
        self.assertEqual(self.found(files), [])


class Rooms(Tree):
    def includes(self, file: str, header: str) -> dict[str, str]:
        return {file: f'\n#include "{header}"\n'}

    def test_rooms_keep_to_their_table(self):
        bad = [("layout/a.cpp", "hints/hints.hpp"), ("view/a.cpp", "port/comm.hpp"), ("plan/a.cpp", "port/comm.hpp"),
               ("plan/a.cpp", "port/file_driver.hpp"), ("execute/a.cpp", "hints/hints.hpp"), ("execute/a.cpp", "driver/posix/posix.hpp"),
               ("driver/posix/a.cpp", "plan/plan.hpp"), ("file/a.cpp", "door/common/x.hpp"), ("door/a.cpp", "plan/plan.hpp"),
               ("door/a.cpp", "hints/hints.hpp"), ("launch/a.cpp", "file/file.hpp"), ("hints/a.cpp", "layout/run.hpp"), ("base/a.cpp", "port/comm.hpp")]
        for file, header in bad:
            with self.subTest(file=file, header=header):
                self.setUp()
                self.fires("rooms", self.includes("src/" + file, header), 2)

    def test_rooms_may_use_what_they_are_given(self):
        good = [("plan/a.cpp", "port/driver_traits.hpp"), ("execute/a.cpp", "plan/plan.hpp"), ("file/a.cpp", "driver/posix/posix.hpp"),
                ("door/a.cpp", "file/file.hpp"), ("driver/posix/a.cpp", "driver/posix/b.hpp"), ("driver/posix/a.cpp", "driver/common/b.hpp"),
                ("driver/posix/a.cpp", "driver/shared.hpp"), ("driver/faulty/a_test.cpp", "driver/memory/memory.hpp")]
        for file, header in good:
            with self.subTest(file=file, header=header):
                self.setUp()
                self.silent(self.includes("src/" + file, header))

    def test_drivers_do_not_know_each_other(self):
        self.fires("rooms", self.includes("src/driver/nfs/a.cpp", "driver/posix/posix.hpp"), 2)

    def test_includes_are_paths_from_src(self):
        self.fires("rooms", self.includes("src/plan/a.cpp", "plan.hpp"), 2)
        self.setUp()
        self.fires("rooms", self.includes("src/plan/a.cpp", "../plan/plan.hpp"), 2)

    def test_headers_of_an_abi_are_found_by_name(self):
        prose = PROSE.replace("plan/a", "door/abi/mpich/handles")
        self.silent({"src/door/a.cpp": '#include "handles.hpp"\n', "src/door/abi/mpich/handles.hpp": prose})

    def test_unknown_rooms_are_named(self):
        self.fires("rooms", {"src/cellar/a.cpp": "int a;\n"})

    def test_mpi_stays_behind_the_door(self):
        for line in ("#include <mpi.h>\n", '#include "mpi.h"\n', "#  include <mpi_abi.h>\n"):
            self.setUp()
            self.fires("mpi.h", {"src/file/a.cpp": line})
        self.setUp()
        self.silent({"src/door/a.cpp": "#include <mpi.h>\n", "bench/a.c": "#include <mpi.h>\n"})

    def test_pure_rooms_touch_nothing(self):
        self.fires("pure", {"src/plan/a.cpp": "#include <chrono>\n"})
        self.setUp()
        self.silent({"src/plan/a_test.cpp": "#include <chrono>\n", "src/driver/posix/a.cpp": "#include <unistd.h>\n"})


class Sizes(Tree):
    def test_functions_fit_a_screen(self):
        self.silent({"src/plan/a.cpp": "int f() {\n" + body(68) + "}\n"})
        self.fires("function length", {"src/plan/a.cpp": "int f() {\n" + body(69) + "}\n"})

    def test_functions_are_found_wherever_they_hide(self):
        long = body(70)
        samples = [
            "namespace a {\nclass B : public C<D> {\n  int f() const noexcept override {\n" + long + "}\n};\n}\n",
            "namespace {\n\nstruct B {\n  explicit B(int x) : x_{x}, y_(x) {\n" + long + "}\n};\n}\n",
            "extern \"C\" {\n\nstruct a* f(int x) {\n" + long + "}\n}\n",
            "// {\n\nstd::map<int, std::vector<int>> f(const A& a = {}) {\n" + long + "}\n",
            "template <class T>\n\nauto A<T>::operator()(T x) -> decltype(x) {\n" + long + "}\n",
            "const char* s = R\"(}{\")\";\n\nTEST(A, B) {\n" + long + "}\n",
            "int a[] = {1, 2};\nenum class E { x };\nbool operator==(const A& a, const A& b) {\n" + long + "}\n",
            "char q = '{';\nint n = 1'000;\nstatic int f(void) {\n" + long + "}\n",
        ]
        for text in samples:
            with self.subTest(text=text.replace(long, "...")):
                self.setUp()
                found = self.found({"src/plan/a.cpp": text})
                self.assertEqual(len(found), 1, found)
                self.assertIn("function length", found[0])

    def test_parameters_are_few(self):
        six = "int a, std::map<int, int> b, int (*c)(int, int), int d = f(1, 2), A e = {1, 2}, int g"
        self.silent({"src/plan/a.cpp": f"void f({six}) {{}}\nvoid f({six});\n"})
        self.fires("parameters", {"src/plan/a.cpp": f"void f({six}, int h) {{}}\n"})
        self.setUp()
        self.fires("parameters", {"src/plan/a.hpp": PROSE + f"class A {{\n virtual void f({six}, int h) const = 0;\n}};\n"}, 4)
        self.setUp()
        self.silent({"src/door/a.cpp": f"void mpi_file_read_at_({six}, int h) {{}}\n"})

    def test_python_is_measured_too(self):
        self.fires("function length", {"python/a.py": "def f():\n" + "    g()\n" * 70})
        self.setUp()
        self.fires("parameters", {"tools/a.py": "def f(a, b, c, d, e, f, *, g=1):\n    pass\n"})
        self.setUp()
        self.silent({"python/a.py": "class A:\n    def f(self, a, b, c, d, e, f):\n        pass\n"})

    def test_files_have_one_idea(self):
        self.silent({"src/plan/a.cpp": "int a;\n" * 500})
        self.fires("file length", {"src/plan/a.cpp": "int a;\n" * 501}, 501)

    def test_generated_files_are_left_alone(self):
        self.silent({"src/plan/a.cpp": "// Generated by tools/generate.py from x.\n" + "int a;\n" * 501, "src/plan/generated/b.cpp": "int a;\n" * 501})


class Text(Tree):
    def test_conditions_stay_in_abi_folders(self):
        for line in ("#ifdef A", "#if A", "  # ifndef A"):
            self.setUp()
            self.fires("conditions", {"src/plan/a.cpp": f"{line}\n#endif\n"})
        self.setUp()
        self.silent({"src/door/abi/mpich/a.cpp": "#if A\n#endif\n", "src/driver/lustre/config.hpp": PROSE + "#if A\n#endif\n"})

    def test_macros_are_functions(self):
        self.fires("macros", {"src/plan/a.cpp": "#define TWICE(x) x; x\n"})
        self.setUp()
        self.silent({"src/plan/a_test.cpp": "#define TWICE(x) x; x\n", "src/plan/b.cpp": "#define LIMIT (3)\n"})

    def test_headers_are_guarded_and_explained(self):
        self.silent({"src/plan/a.hpp": PROSE})
        self.fires("pragma once", {"src/plan/a.hpp": PROSE.replace("#pragma once\n", "")})
        self.setUp()
        self.fires("prose", {"src/plan/a.hpp": "// short\n#pragma once\n"})

    def test_direction_is_a_value(self):
        for pair in (("read_window", "write_window"), ("window_read", "window_write"), ("read", "write")):
            self.setUp()
            self.fires("twins", {f"src/execute/{name}.cpp": "int a;\n" for name in pair})
        self.setUp()
        self.silent({"src/execute/read_window.cpp": "", "src/plan/write_window.cpp": "", "src/hints/read.cpp": "", "src/plan/thread_a.cpp": ""})


class Generator(Tree):
    """tools/generate.py with a generator of its own."""

    def run_generate(self, *arguments: str) -> tuple[int, str]:
        output = io.StringIO()
        folder = self.root / "tools" / "generators"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "one.py").write_text(textwrap.dedent("""\
            def outputs(root):
                return {root / "out" / "a.txt": "right\\n"}
            """), encoding="utf-8")
        original = generate.ROOT
        generate.ROOT = self.root
        try:
            with contextlib.redirect_stdout(output):
                status = generate.main([*arguments, "--root", str(self.root)])
        finally:
            generate.ROOT = original
        return status, output.getvalue()

    def test_check_writes_nothing_and_shows_the_difference(self):
        status, output = self.run_generate("--check")
        self.assertEqual(status, 1)
        self.assertIn("+right", output)
        self.assertFalse((self.root / "out").exists())

    def test_written_files_pass_the_check_until_somebody_edits_them(self):
        self.assertEqual(self.run_generate()[0], 0)
        self.assertEqual(self.run_generate("--check"), (0, ""))
        (self.root / "out" / "a.txt").write_text("wrong\n", encoding="utf-8")
        status, output = self.run_generate("--check")
        self.assertEqual(status, 1)
        self.assertIn("-wrong", output)

    def test_tidy_reports_stale_files(self):
        shutil.copytree(ROOT / "tables", self.root / "tables")
        shutil.copytree(ROOT / "tools", self.root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        found = self.found({"src/port/tracer.hpp": PROSE + "enum class TraceEvent : std::uint8_t { stale };\n"})
        self.assertTrue(any(": generated: " in line for line in found), found)


if __name__ == "__main__":
    unittest.main()
