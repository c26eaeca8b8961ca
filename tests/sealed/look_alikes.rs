//! Values that stand where a person would look for a sealed field: under a name that looks like its, or in a comment.

use crate::holders::*;
use crate::program::Desk;

/// A policy of the field `dis` of records `p`.
fn ward() -> Desk {
    let desk = desk();
    let policy = |name: &str, field: &str| {
        let table = "[[table]]\nname = \"t\"\nkey = \"id\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\n";
        desk.write(&format!("{name}.toml"), format!("{table}{field}"));
        new_policy(&desk, &format!("{name}.upolicy"), &format!("{name}.toml"));
    };
    policy("v", "name = \"dis\"\n");
    policy("a", "name = \"dis\"\npath = \"@dis\"\n");
    policy("m", "name = \"disease\"\ncolumn = \"d2\"\npath = \"v/d\"\n");
    desk
}

/// Sealing of everything is refused because of a kind of place, without a word of what stands there.
fn assert_told(desk: &Desk, policy: &str, document: &str, content: &str, kind: &str) {
    desk.write(document, content);
    let output = document.replace("d.", "s.");
    let seal = format!("ucrypt seal {policy}.upolicy {document} -o {output} --all");
    let told = assert_refused(desk, &seal, 2, &["would stay readable", &format!("--allow-readable {kind}")]);
    assert!(!told.contains("AIDS"), "{told}");
}

fn assert_sealed(desk: &Desk, policy: &str, document: &str, content: &str) {
    desk.write(document, content);
    desk.done(&format!("ucrypt seal {policy}.upolicy {document} -o {} --all", document.replace("d.", "s.")));
}

#[test]
fn a_field_or_record_in_a_comment_or_instruction_is_told_however_it_was_put_there() {
    let desk = ward();
    for note in [
        "<!--dis>AIDS</dis-->",
        "<!-- AIDS</dis> -->",
        "<!-- < dis >AIDS -->",
        "<!-- &lt;dis&gt;AIDS -->",
        "<!--p id='7' dis='AIDS'/-->",
        "<!-- dis=\"AIDS\" -->",
        "<?dis AIDS?>",
        "<?p id=\"5\" dis=\"AIDS\"?>",
    ] {
        let document = format!("<r>{note}<p id=\"5\"><dis>x</dis></p></r>");
        assert_told(&desk, "v", "d.xml", &document, "comments");
    }
    let document = "<r><!--dis--><!-- the dis of a ward < 5 --><?sort by=\"dis\"?><p id=\"5\"><dis>x</dis></p></r>";
    assert_sealed(&desk, "v", "d.xml", document);
}

#[test]
fn a_comment_beside_a_sealed_value_is_told_when_it_is_sealed_again() {
    let desk = ward();
    assert_sealed(&desk, "v", "d.xml", "<r><p id=\"5\"><dis>x</dis></p></r>");
    let sealed = desk.read("s.xml");
    for (old, new) in [
        ("</UCRYPT>", "</UCRYPT><!-- was AIDS -->"),
        ("</UCRYPT>", "</UCRYPT><?old AIDS?>"),
        ("</UCRYPT>", "<!-- was AIDS --></UCRYPT>"),
    ] {
        let _ = std::fs::remove_file(desk.path("s.xml"));
        assert_told(&desk, "v", "d.xml", &sealed.replace(old, new), "comments");
    }
}

#[test]
fn a_second_header_with_its_columns_in_another_order_is_told() {
    let desk = ward();
    for header in ["id,dis,name", "dis,name,id", "\"ID\",\"DIS\",\"NAME\"", "pid,dis,name"] {
        let document = format!("id,name,dis\n5,a,flu\n{header}\n6,AIDS,Pyc\n");
        assert_told(&desk, "v", "d.csv", &document, "namesakes");
    }
    assert_sealed(&desk, "v", "d.csv", "id,name,dis\n5,dis,flu\n6,b,dis\n");
}

#[test]
fn a_column_or_element_that_is_called_like_a_field_which_is_another_one_is_told() {
    let desk = ward();
    assert_told(&desk, "m", "d.csv", "id,disease,d2\n5,AIDS,x\n", "namesakes");
    for record in [
        "<disease>AIDS</disease><v><d>x</d></v>",
        "<v><Disease>AIDS</Disease><d>x</d></v>",
        "<v disease=\"AIDS\"><d>x</d></v>",
    ] {
        assert_told(&desk, "m", "d.xml", &format!("<r><p id=\"5\">{record}</p></r>"), "namesakes");
    }
    assert_sealed(&desk, "m", "d.csv", "id,d2,other\n5,AIDS,x\n");
    assert_sealed(&desk, "m", "d.xml", "<r><disease>a word of the ward</disease><p id=\"5\"><v><d>x</d></v></p></r>");
}

#[test]
fn numbers_and_hidden_signs_do_not_make_another_name() {
    let desk = ward();
    for name in ["dis_1", "dis (1)", "dis[1]", "dis 1", "dis.1.1"] {
        assert_told(&desk, "v", "d.csv", &format!("id,dis,{name}\n5,x,AIDS\n"), "namesakes");
    }
    for name in ["di\u{200d}s", "\u{ff44}is"] {
        let document = format!("<r><p id=\"5\"><dis>x</dis><{name}>AIDS</{name}></p></r>");
        assert_told(&desk, "v", "d.xml", &document, "namesakes");
    }
    assert_told(&desk, "a", "d.xml", "<r><p id=\"5\" dis=\"x\" xml:dis=\"AIDS\"/></r>", "namesakes");
    assert_sealed(&desk, "v", "d.csv", "id,dis,dis2,diss\n5,AIDS,x,y\n");
}
