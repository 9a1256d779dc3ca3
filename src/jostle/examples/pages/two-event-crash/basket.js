basket ??= [];
document.getElementById("empty").onclick = () => { basket = []; };
